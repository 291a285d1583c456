/**
 * Proactive negotiation by Accept (RFC 9110 §12.5.1): which of the available media types is sent,
 * or none (406). A missing field permits everything; so does one without a single valid media
 * range. The most specific range that matches a type gives its quality; the highest quality wins,
 * then the server's order (ruling O-12). Sticky patterns read it part by part, so that the time is
 * linear in the length of the field.
 */

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface WeightedRange extends MediaRange {
  readonly quality: number;
}

/** The index of the media type to send, or undefined when the field permits none of them. */
export function negotiate(field: string | undefined, available: readonly string[]): number | undefined {
  if (field === undefined || field === "*/*") return 0;
  const ranges = parseAccept(field);
  if (ranges.length === 0) return 0;
  let best: number | undefined;
  let highest = 0;
  for (const [i, text] of available.entries()) {
    const quality = qualityOf(text, ranges);
    if (quality > highest) [best, highest] = [i, quality];
  }
  return best;
}

/** The highest quality among the most specific ranges that match a media type; 0 if none does. */
function qualityOf(text: string, ranges: readonly WeightedRange[]): number {
  const mediaType = parseMediaType(text);
  let [specificity, quality] = [-1, 0];
  for (const range of ranges) {
    const matched = match(range, mediaType);
    if (matched < specificity || (matched === specificity && range.quality <= quality)) continue;
    if (matched >= 0) [specificity, quality] = [matched, range.quality];
  }
  return quality;
}

/**
 * How specific a match is: 3 with parameters, 2 type and subtype, 1 `type/*`, 0 any type, -1 no
 * match.
 */
function match(range: MediaRange, { type, subtype, parameters }: MediaRange): number {
  if (range.type === "*") return 0;
  if (range.type !== type) return -1;
  if (range.subtype === "*") return 1;
  if (range.subtype !== subtype) return -1;
  const asked = [...range.parameters].filter(([name, value]) => !isIgnored(name, value, `${type}/${subtype}`));
  if (asked.some(([name, value]) => parameters.get(name) !== value)) return -1;
  return asked.length > 0 ? 3 : 2;
}

/** All text is UTF-8, and Markdown matches without parameters (O-43), so these exclude nothing. */
function isIgnored(name: string, value: string, essence: string): boolean {
  return (name === "charset" && value.toLowerCase() === "utf-8") || essence === "text/markdown";
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
// §5.6.1: empty list elements are legal.
const SEPARATORS = /[ \t,]*/y;
const TYPE = new RegExp(`(${TOKEN})/(${TOKEN})`, "y");
// §5.6.6: white space around the semicolon; a parameter may be missing between two of them.
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?`, "y");
const ELEMENT_END = /[ \t]*(?:,|$)/y;
// §5.6.4: a comma inside a quoted string does not end a member; an unclosed string extends to the
// end.
const REST_OF_ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.)*\\?(?:"|$))*/y;
// §12.4.2: at most three decimals. The client of Java before 19 sends `*/*; q=.2` (JDK-8163921).
const QVALUE = /^(?:0(?:\.[0-9]{0,3})?|\.[0-9]{1,3}|1(?:\.0{0,3})?)$/;

/** The valid media ranges of the field; malformed members are skipped. */
function parseAccept(field: string): WeightedRange[] {
  const ranges: WeightedRange[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(field);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  take(SEPARATORS);
  while (at < field.length) {
    const range = parseRange(take);
    if (range !== undefined && take(ELEMENT_END) !== null) ranges.push(range);
    else take(REST_OF_ELEMENT);
    take(SEPARATORS);
  }
  return ranges;
}

/** One media range with its weight; `take` matches a pattern here and moves past the match. */
function parseRange(take: (pattern: RegExp) => RegExpExecArray | null): WeightedRange | undefined {
  const [, type = "", subtype = ""] = take(TYPE) ?? [];
  if (type === "" || (type === "*" && subtype !== "*")) return undefined;
  const parameters = new Map<string, string>();
  let weight: string | undefined;
  for (let found = take(PARAMETER); found !== null; found = take(PARAMETER)) {
    const [, name = "", value = ""] = found;
    if (name === "") continue;
    // §12.5.1: a parameter named q is the weight wherever it occurs.
    if (name.toLowerCase() === "q") weight ??= value;
    else parameters.set(name.toLowerCase(), unquote(value));
  }
  if (weight !== undefined && !QVALUE.test(weight)) return undefined;
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters, quality: Number(weight ?? 1) };
}

const parsed = new Map<string, MediaRange>();

/** Parses one of our own media types. There are few, so the results are cached. */
function parseMediaType(text: string): MediaRange {
  let mediaType = parsed.get(text);
  if (mediaType === undefined) {
    const [first] = parseAccept(text);
    if (first === undefined) throw new Error(`Not a media type: ${text}`);
    parsed.set(text, (mediaType = first));
  }
  return mediaType;
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : value;
}
