export const ANSWER_MAX_BYTES: number;

export function classify(
  expression: string,
  response: { readonly status: number; readonly contentType: string | null; readonly body: Uint8Array } | null,
): {
  readonly outcome: string;
  readonly code?: string;
  readonly registryVersion?: string;
  readonly reason?: string | null;
  readonly candidates?: readonly { readonly code: string; readonly name: string }[];
};

export function isClassification(value: unknown): boolean;

export function formatClassification(classification: ReturnType<typeof classify>): string;

export function readJson(bytes: Uint8Array): unknown;
