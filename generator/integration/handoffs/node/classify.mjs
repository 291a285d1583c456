/**
 * Judges one exchange with the service: the expression that was sent, and the answer. Pure; runs in
 * Node 18+ and in browsers. The first rule that applies decides, and only `resolved-valid` gives a
 * code. Anything unclear assigns nothing: candidates are what a person can be asked about.
 */

/** In bytes; a longer answer is not read. */
export const ANSWER_MAX_BYTES = 262144;

/**
 * @param {string} expression as it was sent
 * @param {{ status: number, contentType: string | null, body: Uint8Array } | null} response
 *   null if no complete answer came
 * @returns {{ outcome: string, code?: string, registryVersion?: string, reason?: string | null,
 *   candidates?: { code: string, name: string }[] }} an assignment with `resolved-valid` alone;
 *   reason and candidates, best first, with `unknown` and `ambiguous` alone
 */
export function classify(expression, response) {
  if (response === null) return { outcome: "service-error" };
  const { status, contentType, body } = response;
  if (status >= 400 && status <= 499) return { outcome: "request-error" };
  if (status !== 200) return { outcome: "service-error" };
  const answer = isJson(contentType) ? readJson(body) : undefined;
  if (!isResolveEnvelope(answer) || answer.data.input.expression !== expression) return { outcome: "malformed" };
  const { data } = answer;
  if (data.status === "abstained" && data.concept === null) {
    const candidates = data.candidates.map(({ code, name }) => ({ code, name }));
    const outcome = data.reason === "ambiguous_expression" ? "ambiguous" : "unknown";
    return { outcome, reason: data.reason, candidates };
  }
  if (data.status !== "resolved" || data.reason !== null || data.concept === null) return { outcome: "malformed" };
  const { code, registryVersion } = data.concept;
  if (code === "" || registryVersion === "") return { outcome: "malformed" };
  return { outcome: "resolved-valid", code, registryVersion };
}

function isJson(contentType) {
  return contentType !== null && /^[ \t]*application\/json[ \t]*(?:;|$)/i.test(contentType);
}

/**
 * Reads JSON (RFC 8259) strictly: UTF-8 without a byte order mark, no duplicate names, no half of a
 * surrogate pair. Returns undefined for anything else.
 */
export function readJson(bytes) {
  if (bytes.length > ANSWER_MAX_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text);
    return isUnequivocal(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** JSON.parse keeps the last of two members with one name, and accepts half of a surrogate pair. */
function isUnequivocal(json) {
  const open = [];
  let string = "";
  for (const [token] of json.matchAll(/"(?:[^"\\]+|\\.)*"|[[\]{}:]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open[open.length - 1];
      if (names.has(string)) return false;
      names.add(string);
    } else {
      string = JSON.parse(token);
      if (/\p{Surrogate}/u.test(string)) return false;
    }
  }
  return true;
}

const isNull = (value) => value === null;
const isString = (value) => typeof value === "string";
const isNumber = (value) => typeof value === "number";
const isSize = (value) => Number.isSafeInteger(value) && value >= 1;
const nullable = (test) => (value) => value === null || test(value);
const arrayOf = (test) => (value) => Array.isArray(value) && value.every(test);

/** An object with exactly these members. */
const closed = (members) => (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === Object.keys(members).length &&
  Object.entries(members).every(([name, test]) => Object.hasOwn(value, name) && test(value[name]));

const isResolveEnvelope = closed({
  data: closed({
    input: closed({ expression: isString }),
    status: isString,
    reason: nullable(isString),
    embeddingProfile: nullable(
      closed({ name: isString, modelName: isString, modelVersion: isString, dimensions: isSize }),
    ),
    concept: nullable(
      closed({ code: isString, name: isString, definition: isString, domain: isString, registryVersion: isString }),
    ),
    candidates: arrayOf(closed({ code: isString, name: isString, score: isNumber })),
    confidence: nullable(isNumber),
    margin: nullable(isNumber),
  }),
  error: isNull,
});

const isAssignment = closed({ outcome: isString, code: isString, registryVersion: isString });
const isAbstention = closed({
  outcome: isString,
  reason: nullable(isString),
  candidates: arrayOf(closed({ code: isString, name: isString })),
});
const isOutcome = closed({ outcome: isString });

/** Whether a value has the members that `classify` returns with its outcome. */
export function isClassification(value) {
  if (value?.outcome === "resolved-valid") return isAssignment(value);
  return ["unknown", "ambiguous"].includes(value?.outcome) ? isAbstention(value) : isOutcome(value);
}

/** A classification as one line of JSON in ASCII. */
export function formatClassification({ outcome, code, registryVersion, reason, candidates }) {
  const named = candidates?.map((one) => ({ code: one.code, name: one.name }));
  return JSON.stringify({ outcome, code, registryVersion, reason, candidates: named }).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
