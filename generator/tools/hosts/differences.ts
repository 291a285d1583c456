/**
 * Compares an answer of a host with that of the service; each difference names the law that it
 * breaks.
 */
import { sha256 } from "../../../runtime/http/digest.ts";
import { essenceOf } from "../../../runtime/http/media-type.ts";
import type { HttpReply } from "../../effects/http-client.ts";
import { type Case, type Law, LAW_NONCE } from "./law.ts";
import type { Request } from "./request.ts";

export interface Difference {
  readonly law: Law;
  readonly text: string;
}

/** The fields of the law, and the law that each shows. */
const FIELDS: Readonly<Record<string, Law>> = {
  "content-type": "media type",
  "x-content-type-options": "media type",
  etag: "ETag",
  "repr-digest": "digests",
  "x-content-sha256": "digests",
  "content-location": "Content-Location",
  vary: "Vary",
  "cache-control": "caching",
  "access-control-allow-origin": "CORS",
  "access-control-expose-headers": "CORS",
  "access-control-allow-methods": "CORS",
  "access-control-allow-headers": "CORS",
  link: "Content-Location",
  allow: "405",
  "x-service-semantics-deployment-identity": "identity",
};

/** Fields that are untrue, or give something away, if the service does not send them. */
const UNDUE: Readonly<Record<string, Law>> = {
  "access-control-allow-origin": "CORS",
  "access-control-allow-credentials": "CORS",
  "content-type": "media type",
  "content-language": "media type",
  "content-disposition": "media type",
  etag: "ETag",
  // No document has a date that a client could revalidate by.
  "last-modified": "ETag",
  "x-service-semantics-deployment-identity": "identity",
  "repr-digest": "digests",
  "x-content-sha256": "digests",
  "content-location": "Content-Location",
  "mcp-session-id": "MCP",
  "www-authenticate": "bytes",
};

/** The differences of a host's answer from the service's. */
export function differences({ law, request }: Case, expected: HttpReply, actual: HttpReply): Difference[] {
  if (actual.status !== expected.status) {
    const { location } = actual.fields;
    const where = location === undefined ? "" : ` and redirects to ${JSON.stringify(location.slice(0, 200))}`;
    return [{ law, text: `answers ${actual.status}${where}, not ${expected.status}` }];
  }
  const [due, sent] = [expected, actual].map(({ fields }) => essenceOf(fields["content-type"] ?? ""));
  // Then its other fields are those of the other form.
  if (request.fields["accept"] !== undefined && due !== sent && expected.status === 200)
    return [{ law: "negotiation", text: `gives ${sent === "" ? "no type" : sent}, not ${due}` }];
  const faults = isPage(expected)
    ? pageDifferences(request, expected, actual)
    : plainDifferences({ law, request }, expected, actual);
  const coding = actual.fields["content-encoding"];
  if (coding !== undefined && coding !== "identity")
    faults.push({ law: "no recoding", text: `has Content-Encoding ${JSON.stringify(coding)}` });
  // RFC 9111 §5.1: of several the first counts.
  const age = Number.parseInt(actual.fields["age"] ?? "0");
  if (age > maxAge(expected)) faults.push({ law: "caching", text: `was ${age} s in a cache, longer than allowed` });
  if (actual.fields["set-cookie"] !== undefined) faults.push({ law: "caching", text: "sets a cookie" });
  return faults;
}

function isPage({ status, fields }: HttpReply): boolean {
  return status !== 304 && fields["content-type"]?.startsWith("text/html") === true;
}

/** The laws that a case shows if its answer is the expected one. */
export function lawsOf({ law }: Case, expected: HttpReply): ReadonlySet<Law> {
  const due = Object.entries(FIELDS).filter(([name]) => expected.fields[name] !== undefined);
  return new Set([law, "no recoding", ...(isPage(expected) ? ["pages" as const] : []), ...due.map(([, one]) => one)]);
}

function maxAge({ fields }: HttpReply): number {
  return Number(/max-age=(\d+)/.exec(fields["cache-control"] ?? "")?.[1] ?? 0);
}

function plainDifferences({ law, request }: Case, expected: HttpReply, actual: HttpReply): Difference[] {
  const faults = [...fieldDifferences(expected, actual, Object.keys(FIELDS)), ...undueFields(expected, actual)];
  const [length, sent] = [expected, actual].map(({ fields }) => fields["content-length"]);
  if (request.method === "HEAD" && length !== undefined && sent !== length) {
    const other = `has content-length ${JSON.stringify(sent?.slice(0, 20))}, not "${length}"`;
    faults.push({ law: "HEAD", text: sent === undefined ? "lacks content-length" : other });
  }
  // Contract §4.5 rule 4; RFC 9110 §8.6.
  if ((actual.status === 204 || actual.status === 304) && sent !== undefined)
    faults.push({ law, text: "has content-length, but no body" });
  const mayHaveBody = request.method !== "HEAD" && expected.status !== 304;
  if (!mayHaveBody && actual.body.length > 0) faults.push({ law, text: `has a body of ${actual.body.length} bytes` });
  if (mayHaveBody && Buffer.compare(expected.body, actual.body) !== 0) {
    const beginning = expected.body.subarray(0, actual.body.length);
    // If the body is too long, this is the whole expected body.
    const isPart = Buffer.compare(beginning, actual.body) === 0;
    faults.push({ law, text: isPart ? "is cut short" : "has other bytes" });
  }
  return faults;
}

function fieldDifferences(expected: HttpReply, actual: HttpReply, names: readonly string[]): Difference[] {
  return names.flatMap((name) => {
    const [due, sent] = [expected.fields[name], actual.fields[name]];
    if (due === undefined || (sent !== undefined && agrees(name, due, sent))) return [];
    const other = `has ${name} ${JSON.stringify(sent?.slice(0, 200))}, not ${JSON.stringify(due)}`;
    return [{ law: FIELDS[name] ?? "pages", text: sent === undefined ? `lacks ${name}` : other }];
  });
}

function undueFields(expected: HttpReply, actual: HttpReply): Difference[] {
  return Object.entries(UNDUE).flatMap(([name, law]) =>
    expected.fields[name] === undefined && actual.fields[name] !== undefined
      ? [{ law, text: `has ${name}, which the service does not send here` }]
      : [],
  );
}

/** Lists may be in another order; Vary may name more fields. */
function agrees(name: string, due: string, sent: string): boolean {
  if (name === "content-type")
    return due.replaceAll(/\s/g, "") === sent.replaceAll(/\s/g, "").replace(/utf-8/i, "utf-8");
  const isList = ["vary", "cache-control", "allow"].includes(name) || name.startsWith("access-control-");
  if (!isList) return due === sent;
  const [wanted, given] = [due, sent].map((text) =>
    text
      .toLowerCase()
      .split(",")
      .map((item) => item.trim()),
  );
  const isIn = wanted?.every((item) => given?.includes(item)) === true;
  return isIn && (name === "vary" || wanted?.length === given?.length);
}

/**
 * A page must be the page of the release with a nonce of its own, which its policy names, and with
 * the digests of the bytes that were sent.
 */
function pageDifferences({ method }: Request, expected: HttpReply, actual: HttpReply): Difference[] {
  const stable = Object.keys(FIELDS).filter((name) => !["etag", "repr-digest", "x-content-sha256"].includes(name));
  const faults = [
    ...fieldDifferences(expected, actual, [...stable, "referrer-policy"]),
    ...undueFields(expected, actual),
  ];
  const policy = actual.fields["content-security-policy"] ?? "";
  const nonce = /'nonce-([A-Za-z0-9+/_-]+=*)'/.exec(policy)?.[1] ?? "";
  const digest = sha256(actual.body);
  const digests = {
    etag: `"${digest}"`,
    "repr-digest": `sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`,
    "x-content-sha256": digest,
  };
  const isOther = ([name, due]: [name: string, due: string]): boolean =>
    expected.fields[name] !== undefined &&
    (method === "HEAD" ? actual.fields[name] === undefined : actual.fields[name] !== due);
  const policyDue = expected.fields["content-security-policy"] ?? "";
  const hasPage = method === "HEAD" || isWith(nonce, decoder.decode(actual.body), decoder.decode(expected.body));
  if (nonce === "") faults.push({ law: "pages", text: "has no nonce in its Content-Security-Policy" });
  if (!isWith(nonce, policy, policyDue)) faults.push({ law: "pages", text: "has another Content-Security-Policy" });
  if (!hasPage) faults.push({ law: "pages", text: "has other bytes" });
  if (Object.entries(digests).some(isOther)) faults.push({ law: "digests", text: "has no digest of its bytes" });
  return faults;
}

/** Whether a text is the expected one with a nonce of its own. */
function isWith(nonce: string, sent: string, expected: string): boolean {
  return nonce !== "" && nonce !== LAW_NONCE && sent.replaceAll(nonce, LAW_NONCE) === expected;
}

const decoder = new TextDecoder();
