/**
 * The API that other programs import from the package: build, verify, compare, and resolve in an
 * open release. It needs no server. Types are declared here, so that the published declarations
 * refer to no other file; everything else in the package is private. Modules that only a build
 * needs are imported when it is called, so a program that only resolves does not load them.
 */
import { formatProblem } from "../runtime/contract/problem.ts";
import { createFetchHandler, fetchHandler } from "./tools/hosts/portable/fetch.ts";
import { parseOrigin } from "../runtime/http/origin.ts";
import { answerRequest } from "../runtime/registry/answer.ts";
import { openRelease as openDist } from "../runtime/release/release.ts";
import { BASE_CONTENT } from "./effects/closure.ts";
import { fileSystem } from "./effects/file-system.ts";
import { formatFinding } from "./text/finding.ts";

export interface ResolveRequest {
  /** The exact text that needs a code. It is compared by its Unicode NFC form only. */
  readonly expression: string;
  /** BCP 47 tag; omit it when unknown. */
  readonly language?: string;
}

/** Use the code only if `status` is `resolved` and `concept` is not null. */
export interface Resolution {
  readonly input: { readonly expression: string };
  readonly status: "resolved" | "abstained";
  readonly reason: string | null;
  readonly concept: {
    readonly code: string;
    readonly name: string;
    readonly definition: string;
    readonly domain: string;
    readonly registryVersion: string;
  } | null;
  /** Evidence, never an assignment. */
  readonly candidates: readonly { readonly code: string; readonly name: string; readonly score: number }[];
}

/** The two envelopes of `POST /api/v1/resolve`. */
export type ResolveAnswer =
  | { readonly data: Resolution; readonly error: null }
  | { readonly data: null; readonly error: { readonly code: string; readonly message: string } };

export interface OpenRelease {
  readonly origin: string;
  readonly registry: { readonly name: string; readonly registryVersion: string; readonly contentSha256: string };
  resolve(this: void, request: ResolveRequest): ResolveAnswer;
  /**
   * The whole service as a fetch handler. It does not check the running sources, so the deployment
   * identity answers 503.
   */
  fetch(this: void, request: Request): Promise<Response>;
  /**
   * The W3C Reconciliation API (0.2 and 1.0-draft) as a fetch handler. `address` is absolute, and
   * requests carry its path: with `https://example.org/reconcile`, it answers `/reconcile/0.2`. A
   * candidate is a match only if the expression resolves.
   */
  reconcile(this: void, address: string): Promise<(request: Request) => Promise<Response>>;
  close(this: void): void;
}

/**
 * Opens a built release. The digest of each part is checked before the part is used in an answer.
 * Throws if the release is damaged.
 */
export function openRelease(directory: string): OpenRelease {
  const release = openDist(directory);
  return {
    origin: release.manifest.origin,
    registry: release.manifest.registry,
    resolve(request) {
      const answer = answerRequest(release.index, request);
      return JSON.parse(answer.ok ? answer.envelope : formatProblem(answer.problem)) as ResolveAnswer;
    },
    fetch: createFetchHandler(release),
    async reconcile(address) {
      const { reconcileRoute } = await import("./tools/reconcile/route.ts");
      const found = { route: reconcileRoute(release, address), parameters: {} };
      return fetchHandler(
        () => found,
        () => undefined,
      );
    },
    close: () => release.close(),
  };
}

export interface BuildRequest {
  /** The folder of the registry. */
  readonly registry: string;
  /**
   * The owner's folder, overlaid on the content of the package. If omitted, only the package's
   * content is used.
   */
  readonly content?: string;
  /** The folder to replace. */
  readonly out: string;
  /** Absolute, http or https, without a path. */
  readonly origin: string;
}

/**
 * Builds a release. If something is wrong, returns messages for people and writes nothing. Throws
 * the errors of the file system.
 */
export async function build({ origin: written, content, ...folders }: BuildRequest): Promise<readonly string[]> {
  const origin = parseOrigin(written);
  if (origin === undefined) return [`origin ${JSON.stringify(written)} is not an absolute http(s) origin`];
  const { build: buildDist } = await import("./build.ts");
  const outcome = await buildDist(
    fileSystem,
    { ...folders, content: content ?? BASE_CONTENT, origin },
    () => undefined,
  );
  switch (outcome.status) {
    case "built":
      return [];
    case "findings":
      return outcome.faulty.flatMap(({ directory, findings }) =>
        findings.map((finding) => `${directory}/${formatFinding(finding)}`),
      );
    case "unprintable":
      return [outcome.message];
  }
}

/**
 * Checks a built release from its bytes only. Returns every fault; an empty list if it is intact.
 */
export async function verify(directory: string): Promise<readonly string[]> {
  if (fileSystem.kind(directory) !== "directory") return [`${directory} is not a directory`];
  const { verifyRelease } = await import("./verify/verify.ts");
  return verifyRelease(fileSystem, directory);
}

export interface Difference {
  /** `reassigned`: an expression resolves to another code. `same`: every byte agrees. */
  readonly verdict: "same" | "different" | "reassigned";
  /** What `diff --json` prints. */
  readonly json: string;
}

/** Compares two releases, each a folder, .zip or .tar of a dist. Throws if one cannot be read. */
export async function diff(before: string, after: string): Promise<Difference> {
  const { comparePair } = await import("./tools/compare/compare.ts");
  const { formatJson } = await import("./tools/compare/json-report.ts");
  const comparison = await comparePair(fileSystem, [before, after], () => undefined);
  return { verdict: comparison.verdict, json: `${[...formatJson(comparison)].join("\n")}\n` };
}
