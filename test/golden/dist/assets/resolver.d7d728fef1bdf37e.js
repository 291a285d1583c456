/**
 * Resolves exactly, from the files of a release on a host that only serves files:
 *
 *   const registry = await openRegistry(location.origin, { sha256: "..." });
 *   const { status, body } = await registry.resolve({ expression: "...", language: "en" });
 *
 * The answer is that of POST /api/v1/resolve. `sha256`, the digest of registry.root, pins the
 * registry; without it SHA256SUMS is trusted. Anything that cannot be read throws a StorageError.
 */
const MAX_LENGTH = 300;
function toSentence(text) {
	return (text.length > MAX_LENGTH ? `${text.slice(0, 299).toWellFormed()}…` : text).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
const refusals = {
	invalid_request: {
		status: 400,
		message: "The request does not have the required shape"
	},
	invalid_language: {
		status: 400,
		message: "language is not a well-formed BCP 47 language tag (RFC 5646), such as en or pt-BR"
	}
};
const catalogue = {
	invalid_http: {
		status: 400,
		message: "The request is not valid HTTP/1.1"
	},
	invalid_json: {
		status: 400,
		message: "The request body is not valid JSON in UTF-8"
	},
	...refusals,
	invalid_query: {
		status: 400,
		message: "The query parameter q is not valid"
	},
	not_found: {
		status: 404,
		message: "There is nothing at this path"
	},
	recipe_not_found: {
		status: 404,
		message: "There is no recipe with this id; the readiness checklist lists the five"
	},
	method_not_allowed: {
		status: 405,
		message: "This path does not accept this method; the Allow field lists the ones it does"
	},
	request_timeout: {
		status: 408,
		message: "The request did not arrive in time"
	},
	precondition_failed: {
		status: 412,
		message: "The current representation is not one that If-Match names"
	},
	request_too_large: {
		status: 413,
		message: "The request body is too large"
	},
	expectation_failed: {
		status: 417,
		message: "The Expect field asks for something this service does not do"
	},
	unsupported_media_type: {
		status: 415,
		message: "The request body must be sent with Content-Type: application/json, alone or with charset=utf-8"
	},
	rate_limited: {
		status: 429,
		message: "Too many requests; the Retry-After field says how many seconds to wait"
	},
	header_fields_too_large: {
		status: 431,
		message: "The request header fields are too large"
	},
	internal_error: {
		status: 500,
		message: "The service failed to answer; nothing was resolved or assigned"
	},
	registry_unavailable: {
		status: 503,
		message: "The registry cannot be read; nothing was resolved or assigned"
	}
};
const problems = Object.keys(catalogue).map((code) => problem(code));
function problem(code, message = catalogue[code].message) {
	return {
		code,
		status: catalogue[code].status,
		message: toSentence(message)
	};
}
function refusal(code, message = refusals[code].message) {
	return {
		code,
		status: refusals[code].status,
		message: toSentence(message)
	};
}
function formatProblem({ code, message }) {
	return `${JSON.stringify({
		data: null,
		error: {
			code,
			message
		}
	})}\n`;
}

const LANGTAG = new RegExp("^(?<language>[a-z]{2,3}(?<extlang>(?:-[a-z]{3}){0,3})|[a-z]{4}|[a-z]{5,8})(?:-(?<script>[a-z]{4}))?(?:-(?<region>[a-z]{2}|[0-9]{3}))?(?<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)(?<extensions>(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)(?:-(?<privateuse>x(?:-[a-z0-9]{1,8})+))?$", "i");
const PRIVATE_USE = /^x(?:-[a-z0-9]{1,8})+$/i;
const GRANDFATHERED = /* @__PURE__ */ new RegExp("^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de)|art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang))$", "i");
function isWellFormedLanguageTag(text) {
	return [
		LANGUAGE_ALONE,
		LANGTAG,
		PRIVATE_USE
	].some((form) => form.test(text)) || GRANDFATHERED.test(text);
}
const LANGUAGE_ALONE = /^[A-Za-z]{2,3}$/;
function lookupLevels(tag) {
	if (!tag.includes("-")) return [tag.toLowerCase()];
	const levels = [];
	const rest = tag.toLowerCase().split("-");
	while (rest.length > 0) {
		levels.push(rest.join("-"));
		rest.pop();
		if (rest.at(-1)?.length === 1) rest.pop();
	}
	return levels;
}

const EXPRESSION_MAX_LENGTH = 1e3;

function keyOf(expression) {
	return /[^ -\u02ff]/.test(expression) ? expression.normalize("NFC") : expression;
}
function countCodePoints(text) {
	let count = text.length;
	for (let i = 0; i + 1 < text.length; i++) if ((text.charCodeAt(i) & 64512) === 55296 && (text.charCodeAt(i + 1) & 64512) === 56320) {
		count--;
		i++;
	}
	return count;
}

const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/gu;
const APOSTROPHES = /[\u2018-\u201B\u2032\u2039\u203A\u02B9\u02BB\u02BC\u00B4\u0060\u05F3\uFF07]/gu;
const QUOTES = /[\u201C-\u201F\u2033\u00AB\u00BB\u05F4\u301D-\u301F\uFF02]/gu;
const MARKED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}])\p{Mn}+/gu;
const NEAR_RULES = [
	{
		name: "invisible",
		score: .95,
		fold: (text) => text.replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, "")
	},
	{
		name: "spaces",
		score: .9,
		fold: foldSpaces
	},
	{
		name: "punctuation",
		score: .85,
		fold: plainPunctuation
	},
	{
		name: "compatibility",
		score: .8,
		fold: (text) => text.normalize("NFKC")
	},
	{
		name: "case",
		score: .7,
		fold: foldCase
	},
	{
		name: "diacritics",
		score: .5,
		fold: (text) => text.normalize("NFD").replaceAll(MARKED, "$1")
	}
];
function foldSpaces(text) {
	return text.replaceAll(/\p{White_Space}+/gu, " ").trim();
}
function plainPunctuation(text) {
	return text.replaceAll(APOSTROPHES, "'").replaceAll(QUOTES, "\"").replaceAll(DASHES, "-");
}
function foldCase(text) {
	return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
function nearForms(expression) {
	let text = keyOf(expression);
	const forms = [{
		text,
		score: 1
	}];
	for (const [last, { score }] of NEAR_RULES.entries()) {
		const folded = foldTo(text, last);
		if (folded === text) continue;
		text = folded;
		if (text !== "" && countCodePoints(text) <= 1e3) forms.push({
			text,
			score
		});
	}
	return forms;
}
function foldTo(text, last) {
	let folded = fold(text, last);
	if (folded !== text) for (let rule = 0; rule <= last; rule++) folded = fold(folded, rule);
	return folded;
}
function fold(key, rule) {
	return (rulesFor(key) >> rule) % 2 === 1 ? keyOf(NEAR_RULES[rule]?.fold(key) ?? key) : key;
}
function rulesFor(key) {
	let rules = /^ |  | $/.test(key) ? ALL : 0;
	for (let i = 0; i < key.length; i++) {
		const point = key.codePointAt(i) ?? 0;
		rules |= known[point] || learn(point);
	}
	return rules;
}
const ALL = 255;
const known = /* @__PURE__ */ new Uint8Array(1114112);
function learn(point) {
	known[point] = ALL;
	const probe = keyOf(`a${String.fromCodePoint(point)}a`);
	let rules = 128;
	for (const rule of NEAR_RULES.keys()) if (fold(probe, rule) !== probe) rules |= 1 << rule;
	return known[point] = rules;
}

function resolve(index, expression, language) {
	if (index.expressionCount === 0) return abstain("registry_empty");
	const found = index.postings(keyOf(expression));
	if (found.length === 0) return abstain("no_reviewed_exact_match", nearConcepts(index, expression, language));
	const considered = language === void 0 ? found : atFirstLevel(index, found, language);
	if (considered.length === 0) return abstain("language_not_matched");
	const exact = distinct(considered.filter((posting) => posting.strength === 1));
	const [only] = exact;
	if (only === void 0) return abstain("equivalence_not_exact", distinct(considered));
	return exact.length === 1 ? {
		status: "resolved",
		conceptId: only.conceptId
	} : abstain("ambiguous_expression", exact);
}
function nearConcepts(index, expression, language) {
	if (!index.hasNearForms) return [];
	const found = nearForms(expression).flatMap(({ text, score }) => [...index.postings(text), ...index.nearPostings(text)].map((posting) => ({
		...posting,
		strength: Math.min(posting.strength, score)
	})));
	return distinct(language === void 0 ? found : atFirstLevel(index, found, language));
}
function atFirstLevel(index, postings, language) {
	for (const level of lookupLevels(language)) {
		const languageId = index.languageId(level);
		const matched = postings.filter((posting) => posting.languageId === languageId);
		if (matched.length > 0) return matched;
	}
	return [];
}
function distinct(postings) {
	const [only] = postings;
	if (only !== void 0 && postings.length === 1) return [{
		conceptId: only.conceptId,
		score: only.strength
	}];
	const scores = /* @__PURE__ */ new Map();
	for (const { conceptId, strength } of postings) scores.set(conceptId, Math.max(strength, scores.get(conceptId) ?? 0));
	return [...scores].map(([conceptId, score]) => ({
		conceptId,
		score
	})).sort((a, b) => b.score - a.score || a.conceptId - b.conceptId);
}
function abstain(reason, candidates = []) {
	return {
		status: "abstained",
		reason,
		candidates
	};
}

function readRequest(value) {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return "The request must be an object";
	const { expression, language } = value;
	if (expression === void 0) return "The request lacks the property \"expression\"";
	const name = Object.keys(value).find((one) => one !== "expression" && one !== "language");
	if (name !== void 0) return `The request has the unknown property ${JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)}`;
	return wrongText("expression", expression, [1, 1e3]) ?? (language === void 0 ? void 0 : wrongText("language", language, [1, 35])) ?? value;
}
function wrongText(name, value, [least, most]) {
	if (typeof value !== "string") return `${name} must be a string`;
	const length = countCodePoints(value);
	if (length > most) return `${name} must have at most ${most} characters`;
	return length < least ? `${name} must have at least ${least} character` : void 0;
}
function answerRequest(index, value) {
	const request = checkRequest(value);
	if ("status" in request) return {
		ok: false,
		problem: request
	};
	const { expression, language } = request;
	return {
		ok: true,
		envelope: formatResolution(index, expression, resolve(index, expression, language))
	};
}
function checkRequest(value) {
	const request = readRequest(value);
	if (typeof request === "string") return refusal("invalid_request", request);
	const { expression, language } = request;
	if (!expression.isWellFormed()) return refusal("invalid_request", "expression has a lone surrogate, which is not a character");
	if (language !== void 0 && !isWellFormedLanguageTag(language)) return refusal("invalid_language");
	return request;
}
const decoder = new TextDecoder();
const HEAD = "{\"data\":{\"input\":{\"expression\":";
const RESOLVED = "},\"status\":\"resolved\",\"reason\":null,\"embeddingProfile\":null,\"concept\":";
const RESOLVED_TAIL = ",\"candidates\":[],\"confidence\":1,\"margin\":null},\"error\":null}";
const ABSTAINED_TAIL = "],\"confidence\":null,\"margin\":null},\"error\":null}";
function formatResolution(index, expression, resolution) {
	const echo = HEAD + JSON.stringify(expression);
	const read = (span) => decoder.decode(index.read(span));
	if (resolution.status === "resolved") {
		index.ahead([resolution.conceptId]);
		return echo + RESOLVED + read(index.concept(resolution.conceptId).resolved) + RESOLVED_TAIL;
	}
	const { reason } = resolution;
	const candidates = resolution.candidates.slice(0, 10);
	index.ahead(candidates.map(({ conceptId }) => conceptId));
	const listed = candidates.map(({ conceptId, score }) => `${read(index.concept(conceptId).candidate)}${score}}`);
	return echo + `},"status":"abstained","reason":"${reason}","embeddingProfile":null,"concept":null,"candidates":[` + listed.join(",") + ABSTAINED_TAIL;
}

function concat(parts, length) {
	const whole = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
async function readAtMost(body, maxBytes) {
	const reader = body?.getReader();
	const chunks = [];
	let size = 0;
	while (size <= maxBytes) {
		const { value } = await reader?.read() ?? {};
		if (value === void 0) return concat(chunks, size);
		chunks.push(value);
		size += value.length;
	}
	reader?.cancel().catch(() => void 0);
}
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
function toHex(bytes) {
	let text = "";
	for (const byte of bytes) text += HEX[byte];
	return text;
}
function viewOf(bytes) {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
function getUint64(view, offset) {
	return view.getUint32(offset + 4, true) * 4294967296 + view.getUint32(offset, true);
}

const MAGIC = Uint8Array.of(137, 83, 82, 73, 13, 10, 26, 10);
const SECTIONS = [
	"list",
	"words",
	"bundle",
	"answers",
	"concepts",
	"near",
	"nearDirectory",
	"pages",
	"directory",
	"meta"
];
const FOOTER_FIELDS = [
	"formatVersion",
	"hashVersion",
	"seed",
	"pageCount",
	"keyCount",
	"conceptCount",
	"nearSeed",
	"nearPageCount"
];
const FOOTER_BYTES = SECTIONS.length * 16 + FOOTER_FIELDS.length * 4 + MAGIC.length;
const DIGEST_BYTES = 32;
const BLOCK_BYTES = 16384;
const PIECE_BYTES = 4096;
function digestAt(digests, number) {
	return digests.subarray(number * 32, (number + 1) * 32);
}
const CONCEPT_RECORD = {
	summaryOffset: 0,
	detailOffset: 8,
	answerOffset: 16,
	summaryLength: 24,
	detailLength: 28,
	resolvedLength: 32,
	candidateLength: 36,
	detailDigest: 40,
	notesOffset: 72,
	notesLength: 80,
	bytes: 84
};
function hashKey(key, seed, into) {
	let h1 = 3735928559 ^ seed;
	let h2 = 1103547991 ^ seed;
	for (let i = 0; i < key.length; i++) {
		const byte = key[i] ?? 0;
		h1 = Math.imul(h1 ^ byte, 2654435761);
		h2 = Math.imul(h2 ^ byte, 1597334677);
	}
	h1 = Math.imul(h1 ^ h1 >>> 16, 2246822507) ^ Math.imul(h2 ^ h2 >>> 13, 3266489909);
	h2 = Math.imul(h2 ^ h2 >>> 16, 2246822507) ^ Math.imul(h1 ^ h1 >>> 13, 3266489909);
	into.page = h1 >>> 0;
	into.fingerprint = h2 >>> 0;
	return into;
}
function pageOf(hash, pageCount) {
	return Math.floor(hash * pageCount / 4294967296);
}
function compareBytes(a, b) {
	const shared = Math.min(a.length, b.length);
	for (let i = 0; i < shared; i++) {
		const difference = (a[i] ?? 0) - (b[i] ?? 0);
		if (difference !== 0) return difference;
	}
	return a.length - b.length;
}

var ConceptRecord = class {
	#view;
	#at;
	constructor(bytes, at) {
		this.#view = viewOf(bytes);
		this.#at = at;
	}
	get summary() {
		return this.#span("list", "summaryOffset", "summaryLength");
	}
	get detail() {
		return this.#span("bundle", "detailOffset", "detailLength");
	}
	get resolved() {
		return this.#span("answers", "answerOffset", "resolvedLength");
	}
	get candidate() {
		const { offset, length } = this.resolved;
		return {
			offset: offset + length,
			length: this.#view.getUint32(CONCEPT_RECORD.candidateLength, true)
		};
	}
	get notes() {
		const { offset, length } = this.#span("answers", "notesOffset", "notesLength");
		return {
			offset: offset + (this.#at.meta.notesStart ?? 0),
			length
		};
	}
	get detailDigest() {
		const { buffer, byteOffset } = this.#view;
		return new Uint8Array(buffer, byteOffset + CONCEPT_RECORD.detailDigest, 32);
	}
	#span(section, offset, length) {
		const { sections } = this.#at;
		return {
			offset: sections[section].offset + getUint64(this.#view, CONCEPT_RECORD[offset]),
			length: this.#view.getUint32(CONCEPT_RECORD[length], true)
		};
	}
};

var IndexError = class extends Error {
	name = "IndexError";
};
const KEY_MAX_BYTES = 4096;
function openIndex(source, options = {}) {
	const { sections, fields } = readFooter(source, options);
	const { keyCount, conceptCount, nearPageCount } = fields;
	const read = (span) => source.read(span.offset, span.length);
	const meta = JSON.parse(new TextDecoder().decode(read(sections.meta)));
	const languageIds = new Map(meta.languages.map((tag, id) => [tag, id]));
	const scratch = new Uint8Array(KEY_MAX_BYTES);
	const encoder = new TextEncoder();
	const hash = {
		page: 0,
		fingerprint: 0
	};
	const { keys, near } = keySpacesOf(source, sections, fields);
	const find = (key, space) => {
		if (space.pageCount === 0) return [];
		hashKey(key, space.seed, hash);
		const [start, end] = space.bounds(pageOf(hash.page, space.pageCount));
		return readPostings(source.read(space.pages.offset + start, end - start), {
			fingerprint: hash.fingerprint,
			key
		}, meta.strengths);
	};
	const codeRoom = scratch.subarray(1);
	const lookUp = (text, room, space) => {
		const { read: used, written } = encoder.encodeInto(text, room);
		const end = room.byteOffset - scratch.byteOffset + written;
		return used === text.length ? find(scratch.subarray(0, end), space) : [];
	};
	return {
		source,
		meta,
		conceptCount,
		expressionCount: keyCount - conceptCount,
		sections,
		read,
		postings: (key) => lookUp(key, scratch, keys),
		hasNearForms: nearPageCount > 0,
		nearPostings: (form) => lookUp(form, scratch, near),
		languageId: (tag) => languageIds.get(tag),
		conceptId(code) {
			scratch[0] = 255;
			return lookUp(code, codeRoom, keys)[0]?.conceptId;
		},
		concept(id) {
			const bytes = source.read(sections.concepts.offset + id * CONCEPT_RECORD.bytes, CONCEPT_RECORD.bytes);
			if (bytes.length < CONCEPT_RECORD.bytes) throw new IndexError("Registry index is cut short");
			return new ConceptRecord(bytes, {
				sections,
				meta
			});
		},
		ahead(ids) {
			if (source.need === void 0) return;
			const length = CONCEPT_RECORD.bytes;
			const records = ids.map((id) => ({
				offset: sections.concepts.offset + id * length,
				length
			}));
			const answers = ids.map((id) => guessAnswer(id, {
				sections,
				meta,
				conceptCount
			}));
			source.need(records, answers);
		}
	};
}
function keySpacesOf(source, sections, { seed, pageCount, nearSeed, nearPageCount }) {
	const directory = viewOf(source.read(sections.directory.offset, sections.directory.length));
	const startOf = (number) => directory.getUint32(number * 4, true) * 4;
	return {
		keys: {
			seed,
			pageCount,
			pages: sections.pages,
			bounds: (number) => [startOf(number), startOf(number + 1)]
		},
		near: {
			seed: nearSeed,
			pageCount: nearPageCount,
			pages: sections.near,
			bounds(number) {
				const starts = viewOf(source.read(sections.nearDirectory.offset + number * 4, 8));
				return [starts.getUint32(0, true) * 4, starts.getUint32(4, true) * 4];
			}
		}
	};
}
function guessAnswer(id, { sections: { answers }, meta: { marks = [] }, conceptCount }) {
	const mark = id - id % 256;
	const [from = 0, to = answers.length] = marks.slice(mark / 256);
	const count = Math.min(256, conceptCount - mark);
	const middle = from + Math.floor((to - from) * (id - mark) / count);
	const start = Math.max(0, middle - BLOCK_BYTES / 2);
	return {
		offset: answers.offset + start,
		length: Math.min(answers.length, middle + BLOCK_BYTES / 2) - start
	};
}
function bundleLengthOf(end) {
	return getUint64(viewOf(footerOf(end.subarray(0, -32))), SECTIONS.indexOf("bundle") * 16 + 8);
}
function footerOf(bytes) {
	const footer = bytes.subarray(-FOOTER_BYTES);
	if (footer.length < FOOTER_BYTES || !hasMagic(footer.subarray(-MAGIC.length))) throw new IndexError("Registry index is cut short: its footer is missing");
	return footer;
}
function readFooter(source, { readsBeginning = true }) {
	const end = source.length - 32;
	if (end < MAGIC.length + FOOTER_BYTES) throw new IndexError("Registry index is cut short");
	const view = viewOf(footerOf(source.read(end - FOOTER_BYTES, FOOTER_BYTES)));
	const fields = {};
	FOOTER_FIELDS.forEach((name, i) => fields[name] = view.getUint32(SECTIONS.length * 16 + i * 4, true));
	if (fields.formatVersion !== 8 || fields.hashVersion !== 1) throw new IndexError(`The index has format ${fields.formatVersion}.${fields.hashVersion}; this runtime reads ${8}.${1}: build it again`);
	const sections = {};
	SECTIONS.forEach((name, i) => {
		const span = {
			offset: getUint64(view, i * 16),
			length: getUint64(view, i * 16 + 8)
		};
		if (span.offset + span.length > end) throw new IndexError(`Registry index is damaged: ${name} is out of bounds`);
		sections[name] = span;
	});
	const start = sections.bundle.length;
	if (start + MAGIC.length > end || readsBeginning && !hasMagic(source.read(start, MAGIC.length))) throw new IndexError("Registry index is damaged: it does not begin after its bundle");
	return {
		sections,
		fields
	};
}
function readPostings(page, wanted, strengths) {
	const view = viewOf(page);
	const count = view.getUint32(0, true);
	const entryAt = (i) => view.getUint32(4 + (count + i) * 4, true);
	const keyAt = (entry) => page.subarray(entry + 2, entry + 2 + view.getUint16(entry, true));
	let low = 0;
	for (let high = count; low < high;) {
		const middle = low + high >>> 1;
		if ((view.getUint32(4 + middle * 4, true) - wanted.fingerprint || compareBytes(keyAt(entryAt(middle)), wanted.key)) < 0) low = middle + 1;
		else high = middle;
	}
	if (low === count || compareBytes(keyAt(entryAt(low)), wanted.key) !== 0) return [];
	const postings = [];
	for (let at = entryAt(low) + 2 + wanted.key.length; at < entryAt(low + 1); at += 8) postings.push({
		languageId: view.getUint16(at, true),
		strength: strengths[view.getUint16(at + 2, true)] ?? 0,
		conceptId: view.getUint32(at + 4, true)
	});
	return postings;
}
function hasMagic(bytes) {
	return MAGIC.every((byte, i) => bytes[i] === byte);
}

var StorageError = class extends IndexError {
	name = "StorageError";
	constructor(place, reason) {
		super(`${place} cannot be read: ${reason}`);
	}
};
var SilentError = class extends StorageError {
	name = "SilentError";
};
var BytesMissing = class extends StorageError {
	get;
	constructor(place, get) {
		super(place, "one answer needs too much of it");
		this.get = get;
	}
};
const ROUNDS_MAX = 32;
function untilHeld(ask, rounds = ROUNDS_MAX) {
	try {
		return ask();
	} catch (error) {
		if (!(error instanceof BytesMissing) || rounds === 0) throw error;
		return error.get().then(() => untilHeld(ask, rounds - 1));
	}
}
const pause = globalThis.setImmediate ?? setTimeout;
function blockSource(store) {
	const { length, blockBytes, maxBytes } = store;
	const held = /* @__PURE__ */ new Map();
	const missing = (spans) => {
		const blocks = spans.flatMap((span) => blocksOf(store, span)).filter((block) => !held.has(block));
		return [...new Set(blocks)].sort((a, b) => a - b);
	};
	const need = (spans, ahead = []) => {
		if (missing(spans).length > 0) throw new BytesMissing(store.name, () => get(missing([...spans, ...ahead])));
	};
	const hold = async (start, end, coming) => {
		const blocks = blocksOf(store, {
			offset: start,
			length: end - start
		}).filter((block) => block * blockBytes >= start && endOf(store, block) <= end);
		const [first = 0] = blocks;
		const listed = store.digests(first * 32, blocks.length * 32);
		const [bytes, digests] = await Promise.all([coming, listed]);
		const check = async (block, i) => {
			const own = bytes.slice(block * blockBytes - start, endOf(store, block) - start);
			if (compareBytes(await sha256(own), digestAt(digests, i)) !== 0) throw new StorageError(store.name, "a block differs from its digest; it is damaged or of another release");
			held.set(block, own);
		};
		await Promise.all(blocks.map(check));
	};
	const get = async (blocks) => {
		if (blocks.length * blockBytes > maxBytes) throw new StorageError(store.name, "one answer needs too much of it");
		for (const block of held.keys()) if ((held.size + blocks.length) * blockBytes > maxBytes) held.delete(block);
		await Promise.all(runsOf(store, blocks).map(([start, end]) => hold(start, end, store.read(start, end))));
	};
	return {
		length,
		need,
		hold,
		read(offset, count) {
			const span = {
				offset,
				length: count
			};
			need([span]);
			const parts = blocksOf(store, span).map((block) => {
				const start = block * blockBytes;
				return held.get(block)?.subarray(Math.max(0, offset - start), offset + count - start) ?? /* @__PURE__ */ new Uint8Array();
			});
			return concat(parts, count);
		}
	};
}
function blocksOf(store, { offset, length }) {
	if (!(offset >= 0 && length >= 0 && offset + length <= store.length)) throw new StorageError(store.name, "it is cut short");
	const first = Math.floor(offset / store.blockBytes);
	return Array.from({ length: Math.ceil((offset + length) / store.blockBytes) - first }, (_, i) => first + i);
}
function endOf({ blockBytes, length }, block) {
	return Math.min((block + 1) * blockBytes, length);
}
function runsOf(store, blocks) {
	const lasts = blocks.filter((block) => !blocks.includes(block + 1));
	return blocks.filter((block) => !blocks.includes(block - 1)).map((first, i) => [first * store.blockBytes, endOf(store, lasts[i] ?? first)]);
}
async function sha256(bytes) {
	if (globalThis.crypto.subtle === void 0) throw new StorageError("The registry", "digests can be checked only on pages loaded over https");
	return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

const INDEX_FILE = "registry.index";
const BLOCKS_FILE = "registry.blocks";
const ROOT_FILE = "registry.root";
const BUNDLE_FILE = "registry/bundle.ndjson";
const SUMS_FILE = "SHA256SUMS";

function rangeFile(url, fetching) {
	let length;
	let all;
	const fault = (reason) => new StorageError(url, reason);
	const request = (headers, read) => askFor(url, {
		...fetching,
		headers
	}, read);
	const bodyOf = async ({ body }, maxBytes) => {
		const bytes = await readAtMost(body, maxBytes);
		if (bytes === void 0) throw fault("the answer is too long");
		return bytes;
	};
	const settle = (of) => {
		if (of !== (length ?? of)) throw fault("it has changed while it was read");
		return length = of;
	};
	const range = async (field, bounds) => {
		const bytes = all ?? await request({ range: `bytes=${field}` }, async (response) => {
			const refuse = (why) => {
				if (field[0] !== "-") throw fault(why);
			};
			if (response.status === 200) return (all = await readWhole(response, fetching.wholeMaxBytes)) ?? refuse("the host ignores ranges, and it is too large");
			if (response.status !== 206) return refuse(`the host answers ${response.status}`);
			const sent = response.headers.get("content-range")?.toLowerCase();
			const [start, end] = bounds(settle(Number(sent?.split("/")[1])));
			if (sent !== `bytes ${start}-${end - 1}/${length}`) return refuse("the host sends another range");
			const part = await bodyOf(response, end - start);
			if (part.length < end - start) throw fault("the answer is cut short");
			return part;
		});
		if (!bytes) return read(0, 2).then(() => read(...bounds(length ?? 0)));
		if (bytes !== all) return bytes;
		const [start, end] = bounds(settle(bytes.length));
		if (end > bytes.length) throw fault("it is cut short");
		return bytes.subarray(start, end);
	};
	const read = (start, end) => range(`${start}-${end - 1}`, () => [start, end]);
	return {
		url,
		get length() {
			return length ?? 0;
		},
		whole: (maxBytes) => request({}, async (response) => {
			if (response.status !== 200) throw fault(`the host answers ${response.status}`);
			return bodyOf(response, maxBytes);
		}),
		last: (count) => range(`-${count}`, (of) => [Math.max(0, of - count), of]),
		read
	};
}
function readWhole({ headers, body }, maxBytes) {
	return readAtMost(body, Number(headers.get("content-length")) > maxBytes ? -1 : maxBytes);
}
async function askFor(url, { fetch: ask, timeoutMs, cache = "no-cache", headers }, read) {
	const signal = AbortSignal.timeout(timeoutMs);
	const init = {
		headers,
		signal,
		cache,
		redirect: "error"
	};
	try {
		return await read(await ask(url, init));
	} catch (error) {
		if (error instanceof StorageError) throw error;
		const reason = signal.aborted ? `there is no answer within ${timeoutMs} ms` : "the host cannot be reached";
		throw new SilentError(url, reason);
	}
}

const HELD_BYTES = 16777216;
const INDEX_END_BYTES = 98304;
const SMALL_FILE_BYTES = 4194304;
async function openRegistry(base, options = {}) {
	const openPastCache = (error) => {
		if (!(error instanceof IndexError) || error instanceof SilentError) throw error;
		return openRemoteIndex(base, options, "reload");
	};
	let index = await openRemoteIndex(base, options).catch(openPastCache);
	const ask = (question) => {
		const asked = async () => untilHeld(() => question(index));
		return asked().catch(async (error) => {
			index = await openPastCache(error);
			return asked();
		});
	};
	return {
		registryVersion: index.meta.registryVersion,
		ask,
		async resolve(request) {
			const answer = await ask((opened) => answerRequest(opened, request));
			if (answer.ok) return {
				status: 200,
				body: `${answer.envelope}\n`
			};
			return {
				status: answer.problem.status,
				body: formatProblem(answer.problem)
			};
		}
	};
}
async function openRemoteIndex(base, options, cache) {
	const fetching = {
		fetch: fetch.bind(globalThis),
		timeoutMs: 1e4,
		wholeMaxBytes: 2 * HELD_BYTES,
		...options,
		...cache && { cache }
	};
	const fileAt = (name) => rangeFile(new URL(name, base.replace(/\/*$/, "/")).href, fetching);
	const [index, blocks, root] = [
		fileAt(INDEX_FILE),
		fileAt(BLOCKS_FILE),
		fileAt(ROOT_FILE)
	];
	const [pin, roots, indexEnd, blocksEnd] = await Promise.all([
		options.sha256 ?? readPin(fileAt("SHA256SUMS")),
		root.whole(SMALL_FILE_BYTES),
		index.last(INDEX_END_BYTES),
		blocks.last(2 * PIECE_BYTES)
	]);
	if (toHex(await sha256(roots)) !== pin) throw new StorageError(root.url, `its digest is not ${pin}`);
	const digests = blockSource({
		name: blocks.url,
		length: blocks.length,
		blockBytes: PIECE_BYTES,
		maxBytes: HELD_BYTES,
		read: blocks.read,
		digests: (offset, length) => roots.subarray(offset, offset + length)
	});
	await digests.hold(blocks.length - blocksEnd.length, blocks.length, blocksEnd);
	const bundleLength = bundleLengthOf(indexEnd);
	const source = blockSource({
		name: index.url,
		length: bundleLength + index.length,
		blockBytes: BLOCK_BYTES,
		maxBytes: HELD_BYTES,
		read: readBoth(fileAt(BUNDLE_FILE), index, bundleLength),
		digests: async (offset, length) => untilHeld(() => digests.read(offset, length))
	});
	await source.hold(source.length - indexEnd.length, source.length, indexEnd);
	return untilHeld(() => openIndex(source, { readsBeginning: false }));
}
async function readPin(sums) {
	const text = new TextDecoder().decode(await sums.whole(SMALL_FILE_BYTES));
	const [, pin] = new RegExp(`^([0-9a-f]{64})  ${"registry.root"}$`, "m").exec(text) ?? [];
	if (pin === void 0) throw new StorageError(sums.url, `it does not list ${ROOT_FILE}`);
	return pin;
}
function readBoth(bundle, index, border) {
	return async (start, end) => {
		const parts = [];
		if (start < border) parts.push(bundle.read(start, Math.min(end, border)));
		if (end > border) parts.push(index.read(Math.max(start - border, 0), end - border));
		return concat(await Promise.all(parts), end - start);
	};
}

export { StorageError, openRegistry };
