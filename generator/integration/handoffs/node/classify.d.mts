export const ANSWER_MAX_BYTES: number;

export function classify(
  expression: string,
  response: { readonly status: number; readonly contentType: string | null; readonly body: Uint8Array } | null,
): { readonly outcome: string; readonly code?: string; readonly registryVersion?: string };

export function readJson(bytes: Uint8Array): unknown;
