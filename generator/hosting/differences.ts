/** In what an answer of a host differs from that of the service, by the law that it breaks. */
import { sha256 } from "../../runtime/http/digest.ts";
import { type Case, type Law, LAW_NONCE, type Reply, type Request } from "./law.ts";

export interface Difference {
  readonly law: Law;
  readonly text: string;
}

/** The fields of the law, and what each shows. */
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

/** Fields that say something untrue, or give something away, where the service does not send them. */
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

/** In what a host's answer differs from the service's. */
export function differences({ law, request }: Case, expected: Reply, actual: Reply): Difference[] {
  if (actual.status !== expected.status) {
    const { location } = actual.fields;
    const where = location === undefined ? "" : ` and redirects to ${JSON.stringify(location.slice(0, 200))}`;
    return [{ law, text: `answers ${actual.status}${where}, not ${expected.status}` }];
  }
  const [due, sent] = [expected, actual].map(({ fields }) => fields["content-type"]?.split(";")[0] ?? "");
  // Its other fields are then those of the other form.
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
  if (age > maxAge(expected)) faults.push({ law: "caching", text: `was ${age} s in a cache, longer than it may be` });
  if (actual.fields["set-cookie"] !== undefined) faults.push({ law: "caching", text: "sets a cookie" });
  return faults;
}

function isPage({ status, fields }: Reply): boolean {
  return status !== 304 && fields["content-type"]?.startsWith("text/html") === true;
}

/** What a case shows where its answer is the expected one. */
export function lawsOf({ law }: Case, expected: Reply): ReadonlySet<Law> {
  const due = Object.entries(FIELDS).filter(([name]) => expected.fields[name] !== undefined);
  return new Set([law, "no recoding", ...(isPage(expected) ? ["pages" as const] : []), ...due.map(([, one]) => one)]);
}

function maxAge({ fields }: Reply): number {
  return Number(/max-age=(\d+)/.exec(fields["cache-control"] ?? "")?.[1] ?? 0);
}

function plainDifferences({ law, request }: Case, expected: Reply, actual: Reply): Difference[] {
  const faults = [...fieldDifferences(expected, actual, Object.keys(FIELDS)), ...undueFields(expected, actual)];
  const [length, sent] = [expected, actual].map(({ fields }) => fields["content-length"]);
  if (request.method === "HEAD" && length !== undefined && sent !== length) {
    const what =
      sent === undefined
        ? "lacks content-length"
        : `has content-length ${JSON.stringify(sent.slice(0, 20))}, not "${length}"`;
    faults.push({ law: "HEAD", text: what });
  }
  // Contract §4.5 rule 4; RFC 9110 §8.6.
  if ((actual.status === 204 || actual.status === 304) && sent !== undefined)
    faults.push({ law, text: "has content-length, but no body" });
  const mayHaveBody = request.method !== "HEAD" && expected.status !== 304;
  if (!mayHaveBody && actual.body.length > 0) faults.push({ law, text: `has a body of ${actual.body.length} bytes` });
  if (mayHaveBody && !equal(expected.body, actual.body)) {
    const isPart =
      actual.body.length < expected.body.length && equal(expected.body.subarray(0, actual.body.length), actual.body);
    faults.push({ law, text: isPart ? "is cut short" : "has other bytes" });
  }
  return faults;
}

function fieldDifferences(expected: Reply, actual: Reply, names: readonly string[]): Difference[] {
  return names.flatMap((name) => {
    const [due, sent] = [expected.fields[name], actual.fields[name]];
    const law = FIELDS[name] ?? "pages";
    if (due === undefined || (sent !== undefined && agrees(name, due, sent))) return [];
    return [
      {
        law,
        text:
          sent === undefined
            ? `lacks ${name}`
            : `has ${name} ${JSON.stringify(sent.slice(0, 200))}, not ${JSON.stringify(due)}`,
      },
    ];
  });
}

function undueFields(expected: Reply, actual: Reply): Difference[] {
  return Object.entries(UNDUE).flatMap(([name, law]) =>
    expected.fields[name] === undefined && actual.fields[name] !== undefined
      ? [{ law, text: `has ${name}, which the service has not there` }]
      : [],
  );
}

/** Lists may be in another order; a cache may vary by more. */
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

/** A page is the page of the release with a nonce of its own, which its policy names; the digests are those of what was sent. */
function pageDifferences({ method }: Request, expected: Reply, actual: Reply): Difference[] {
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
  const wrong: readonly [law: Law, text: string, isSo: boolean][] = [
    ["pages", "has no nonce in its Content-Security-Policy", nonce === ""],
    [
      "pages",
      "has another Content-Security-Policy",
      !isWith(nonce, policy, expected.fields["content-security-policy"] ?? ""),
    ],
    [
      "pages",
      "has other bytes",
      method !== "HEAD" && !isWith(nonce, decoder.decode(actual.body), decoder.decode(expected.body)),
    ],
    [
      "digests",
      "has no digest of its bytes",
      Object.entries(digests).some(
        ([name, due]) =>
          expected.fields[name] !== undefined &&
          (method === "HEAD" ? actual.fields[name] === undefined : actual.fields[name] !== due),
      ),
    ],
  ];
  return [...faults, ...wrong.filter(([, , isSo]) => isSo).map(([law, text]) => ({ law, text }))];
}

/** Whether a text is the expected one with a nonce of its own. */
function isWith(nonce: string, sent: string, expected: string): boolean {
  return nonce !== "" && nonce !== LAW_NONCE && sent.replaceAll(nonce, LAW_NONCE) === expected;
}

const decoder = new TextDecoder();

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
