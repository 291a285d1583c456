/**
 * The deployment identity as values: its document, its closure, the verdict on an observation of
 * the files. It reads no files; closure.ts does.
 * Source: contract §2, §4.6; rulings O-31 to O-35, O-58; T-03.
 */
import type { FileDigest } from "../contract/document.ts";
import type { DeploymentIdentity, IdentityFailure } from "../contract/identity.ts";
import { sha256 } from "../http/digest.ts";
import { formatDocument, parseJson } from "../text/json.ts";
import { formatSums } from "./manifest.ts";
import { MANIFEST_FILE } from "../contract/files.ts";
import type { Closure } from "../contract/inputs.ts";
import { product } from "../contract/product.ts";
import { firstViolation, readerOf } from "../contract/validator.ts";
import { validators } from "../contract/validators.js";

/**
 * The closure: the files below this folder but for the extras, these files next to it, and the
 * release's manifest.
 */
export const SOURCE_FOLDER = "runtime";
export const SOURCE_FILES = ["package-lock.json", "package.json"] as const;
export const CLOSURE_MANIFEST = `dist/${MANIFEST_FILE}`;

/**
 * Code that only some services run, which ones the build cannot know. A file of the closure has the
 * digests of all of it, as the manifest has those of dist; a service compares the parts it runs.
 */
export const EXTRAS_FOLDER = "runtime/extras";
export const EXTRAS_SUMS = "runtime/extras.sha256";

export function isExtra(name: string): boolean {
  return name.startsWith(`${EXTRAS_FOLDER}/`);
}

/** The identity document of a closure. It has only one form, so its bytes follow from the files. */
export function formatIdentity(canonicalOrigin: string, closure: readonly FileDigest[]): string {
  const files = closure.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const { productVersion, packageVersion, classification } = product;
  const identity: DeploymentIdentity = {
    schema: "service-semantics.deployment.v1",
    productVersion,
    packageVersion,
    classification,
    canonicalOrigin,
    closure: { algorithm: "sha256", treeDigest: sha256(encoder.encode(formatSums(files))), files },
    semanticAssignment: false,
    authorizationGranted: false,
  };
  return formatDocument(identity);
}

/** The files found on disk. Texts describe faults, only for the operator. */
export interface Observation {
  readonly document: Uint8Array | { readonly unsafe: string };
  /** The regular files of the closure. */
  readonly files: readonly FileDigest[];
  /** Other differences from the running release, one text each. */
  readonly drift: readonly string[];
}

/** The identity that the service claims. */
export interface Claim {
  /** The origin the release was built for. */
  readonly origin: string;
  /** Why the configured origin is wrong, or undefined. */
  readonly originMismatch: string | undefined;
}

export type Identity =
  | {
      readonly verified: true;
      readonly document: Uint8Array;
      /** The digest of the document. */
      readonly sha256: string;
      readonly treeDigest: string;
    }
  /** `detail` names the difference; it is for the operator and never leaves the machine. */
  | { readonly verified: false; readonly failureCategory: IdentityFailure; readonly detail: string };

const parseIdentity = readerOf<Closure>(validators.Closure);

/** Judges an observation: first the configuration, then the document, then the files. */
export function judgeIdentity({ origin, originMismatch }: Claim, { document, files, drift }: Observation): Identity {
  if (originMismatch !== undefined) return unavailable("canonical_origin_invalid", originMismatch);
  if ("unsafe" in document) return unavailable("identity_document_missing_or_unsafe", document.unsafe);
  const json = parseJson(document);
  if (!json.ok) return unavailable("identity_document_invalid_json", "the document is not JSON in UTF-8");
  const reading = parseIdentity(json.value);
  if (!reading.ok) {
    return unavailable(
      "identity_validation_failed",
      `the document ${firstViolation(reading.violations, "", "itself")}`,
    );
  }
  const { closure } = reading.value;
  if (decoder.decode(document) !== formatIdentity(origin, closure.files)) {
    const wrong = "the document differs from the one that its own list of files gives for this release and origin";
    return unavailable("identity_validation_failed", wrong);
  }
  const differing = new Set([...differences(closure.files, files), ...drift]);
  if (differing.size > 0) return unavailable("runtime_source_drift", summarize([...differing]));
  return { verified: true, document, sha256: sha256(document), treeDigest: closure.treeDigest };
}

function unavailable(failureCategory: IdentityFailure, detail: string): Identity {
  return { verified: false, failureCategory, detail };
}

function differences(listed: readonly FileDigest[], found: readonly FileDigest[]): string[] {
  const rest = new Map(found.map((file) => [file.path, file]));
  const differing = listed.flatMap(({ path, bytes, sha256: expected }) => {
    const file = rest.get(path);
    rest.delete(path);
    if (file === undefined) return [`${path} is missing or not a regular file`];
    return file.sha256 === expected && file.bytes === bytes ? [] : [`${path} was changed`];
  });
  return [...differing, ...[...rest.keys()].map((path) => `${quoteName(path)} was added`)];
}

/** Quotes a file name for a log, so that it cannot forge log lines. */
export function quoteName(name: string): string {
  if (/^[\w./-]+$/.test(name)) return name;
  return JSON.stringify(name).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The first five texts, and the number of the others. */
function summarize(texts: readonly string[]): string {
  const shown = texts.slice(0, 5).join("; ");
  return texts.length > 5 ? `${shown}; and ${texts.length - 5} more` : shown;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
