/**
 * Makes the page of an answer from a registry that the resolver has opened, for the form on the
 * home page.
 */
const BUNDLE_FILE = "registry/bundle.ndjson";

const paths = {
	home: "/",
	resolvePage: "/resolve",
	conceptPages: "/concepts",
	answers: "/answers",
	answersJson: "/answers.json",
	answersMarkdown: "/answers.md",
	apiReference: "/api-reference",
	apiReferenceJson: "/api-reference.json",
	apiReferenceMarkdown: "/api-reference.md",
	mcpGuide: "/mcp-guide",
	resolve: "/api/v1/resolve",
	concepts: "/api/v1/concepts",
	status: "/api/v1/status",
	connect: "/api/v1/agent/connect",
	capabilities: "/api/v1/capabilities",
	wellKnownCapabilities: "/.well-known/service-semantics.json",
	agentTool: "/agent-tool.json",
	agentInstructions: "/agent-instructions.txt",
	adoptionGuide: "/api/v1/adoption-guide",
	readiness: "/api/v1/integration-readiness",
	readinessReports: "/api/v1/integration-readiness/report",
	studio: "/api/v1/integration-studio",
	studioPage: "/integration-studio",
	kits: "/api/v1/integration-studio/kit",
	apiCatalog: "/.well-known/api-catalog",
	discovery: "/.well-known/service-semantics-discovery.json",
	aiCatalog: "/.well-known/ai-catalog.json",
	skills: "/.well-known/agent-skills",
	skillsIndex: "/.well-known/agent-skills/index.json",
	deployment: "/.well-known/service-semantics-deployment.json",
	securityText: "/.well-known/security.txt",
	openapi: "/openapi.json",
	mcp: "/mcp",
	mcpServer: "/mcp-server.json",
	serverCard: "/mcp/server-card",
	bundle: `/${BUNDLE_FILE}`,
	retired: "/registry/retired.json",
	history: "/registry/history.json",
	changes: "/registry/changes",
	changesFeed: "/registry/changes.atom",
	changesPage: "/changes",
	coverage: "/registry/coverage.json",
	coveragePage: "/coverage",
	schemas: "/schemas",
	assets: "/assets",
	llms: "/llms.txt",
	robots: "/robots.txt",
	sitemap: "/sitemap.xml"
};

const PLAIN = /="[^"]*"|<(title|option|textarea|script|style)\b[^]*?<\/\1>/g;
function markEnglish(page) {
	if (!page.includes("<en>")) return page;
	return page.replaceAll(PLAIN, (plain) => plain.replaceAll(/<\/?en>/g, "")).replaceAll("<en>", "<span lang=\"en\" dir=\"ltr\">").replaceAll("</en>", "</span>");
}

const markup = Symbol("markup");
function html(literals, ...values) {
	let [text = ""] = literals;
	let end = 0;
	const dropSpaces = () => {
		text = text.slice(0, end) + text.slice(end).replace(/[ \t]+$/, "");
	};
	for (const [i, value] of values.entries()) {
		const inserted = formatValue(value);
		if (typeof value === "object" && inserted.startsWith("\n")) dropSpaces();
		text += inserted;
		if (inserted !== "") end = typeof value === "object" ? text.trimEnd().length : text.length;
		const literal = literals[i + 1] ?? "";
		if (literal.startsWith("\n") || inserted === "" && literal.startsWith(">")) dropSpaces();
		text += literal;
	}
	return { [markup]: text };
}
function formatHtml(value) {
	return value[markup];
}
function fillMarkup(fragment, values) {
	const valueOf = (name) => {
		if (!Object.hasOwn(values, name)) throw new Error(`A text has the placeholder {${name}}, which has no value here`);
		return formatValue(values[name]);
	};
	return { [markup]: fragment.replaceAll(/\{([a-z]+)\}/g, (_whole, name) => valueOf(name)) };
}
function formatValue(value) {
	if (value === void 0) return "";
	if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
	return markup in value ? value[markup] : value.map(formatValue).join("");
}
const references = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
};
function escapeText(text) {
	return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? character);
}

function formatMain({ main }, prefix) {
	return withPrefix(withoutSlashes(formatHtml(main)), prefix, isRendered);
}
function withoutSlashes(main) {
	return main.replaceAll(/\s*\/>/g, ">");
}
function withPrefix(page, prefix, hasPage) {
	if (prefix === "") return page;
	return page.replaceAll(/(?<!hreflang="[^"]*") (href|action)="(\/[^"?#]*)/g, (whole, name, path) => hasPage(path) ? ` ${name}="${prefix}${path === "/" ? "" : path}` : whole);
}
function isRendered(path) {
	const { home, conceptPages, resolvePage, changesPage } = paths;
	return [
		home,
		conceptPages,
		resolvePage,
		changesPage
	].includes(path) || path.startsWith(`${conceptPages}/`);
}
const encoder = new TextEncoder();

const EXPRESSION_MAX_LENGTH = 1e3;

const Unknown = (options) => make({}, options);
const Null = (options) => make({ type: "null" }, options);
const Boolean = (options) => make({ type: "boolean" }, options);
const Integer = (options) => make({ type: "integer" }, options);
const Number$1 = (options) => make({ type: "number" }, options);
const String$1 = (options) => make({ type: "string" }, options);
const Literal = (value, options) => make({
	type: typeof value,
	const: value
}, options);
const Enum = (values, options) => make({ enum: values }, options);
const Array$1 = (items, options) => make({
	type: "array",
	items
}, options);
const Union = (anyOf, options) => make({ anyOf }, options);
const Object$1 = (properties, options) => {
	const required = globalThis.Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})));
	return make({
		type: "object",
		...required.length > 0 && { required },
		properties
	}, options);
};
const Optional = (schema) => {
	const optional = make(schema);
	Reflect.defineProperty(optional, OPTIONAL, { value: true });
	return optional;
};
const Unsafe = (schema) => make(schema);
const OPTIONAL = "~optional";
function make(schema, options) {
	return {
		...schema,
		...options
	};
}

function closed(properties) {
	return Object$1(properties, { additionalProperties: false });
}
function open(properties) {
	return Object$1(properties, { additionalProperties: true });
}
function optionalEach(names, schema) {
	const optional = Optional(schema);
	return Object.fromEntries(names.map((name) => [name, optional]));
}
function nullable(schema) {
	return Union([schema, Null()]);
}

const MATCHES = [
	"exactMatch",
	"closeMatch",
	"broadMatch",
	"narrowMatch",
	"relatedMatch"
];
const Provenance = closed({
	source: String$1({ minLength: 1 }),
	license: String$1({
		minLength: 1,
		description: "SPDX licence identifier"
	}),
	sourceId: nullable(String$1({ minLength: 1 })),
	reviewedBy: nullable(String$1({
		minLength: 1,
		description: "A role, never a personal name"
	})),
	reviewedAt: nullable(String$1({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" })),
	...optionalEach(MATCHES, Array$1(String$1({ minLength: 1 })))
});
const AnyProvenance = Unsafe({ description: "Any JSON value; this service gives null or { source, license, sourceId, reviewedBy, reviewedAt }, at a concept with exactMatch and closeMatch where its source has them" });
const ConceptExpression = closed({
	language: String$1(),
	locale: nullable(String$1()),
	expression: String$1(),
	type: String$1(),
	equivalenceStrength: Number$1(),
	reviewStatus: String$1(),
	provenance: AnyProvenance
});
const ConceptRendering = closed({
	type: String$1(),
	descriptor: String$1(),
	unicodeSequence: nullable(String$1()),
	confidence: Number$1()
});
const identity = {
	code: String$1(),
	name: String$1(),
	definition: String$1(),
	domain: String$1(),
	registryVersion: String$1()
};
const ConceptSummary = closed({
	...identity,
	url: String$1({ format: "uri" })
});
const ConceptDetail = closed({
	...identity,
	provenance: AnyProvenance,
	expressions: Array$1(ConceptExpression),
	renderings: Array$1(ConceptRendering),
	canonicalUrl: String$1({ format: "uri" })
});
const ConceptList = closed({
	data: Array$1(ConceptSummary),
	count: Integer({ minimum: 0 })
});
const ResolvedConcept = closed(identity);
const ConceptNotFound = closed({ error: Literal("concept_not_found") });
const ConceptHistory = closed({
	code: String$1(),
	changes: Array$1(closed({
		registryVersion: String$1(),
		change: nullable(Enum([
			"added",
			"changed",
			"retired"
		])),
		gained: Integer({ minimum: 0 }),
		lost: Integer({ minimum: 0 })
	}))
});

const ResolveRequest = closed({
	expression: String$1({
		minLength: 1,
		maxLength: EXPRESSION_MAX_LENGTH,
		description: "The exact expression needing stable identity; no unrelated conversation, no secrets"
	}),
	language: Optional(String$1({
		minLength: 1,
		maxLength: 35,
		description: "BCP 47 language tag of the expression, well-formed by RFC 5646 (en, pt-BR); omitted when unknown"
	}))
});
const ABSTENTION_REASONS = [
	"no_reviewed_exact_match",
	"language_not_matched",
	"ambiguous_expression",
	"equivalence_not_exact",
	"registry_empty"
];
const Candidate = closed({
	code: String$1(),
	name: String$1(),
	score: Number$1()
});
const EmbeddingProfile = closed({
	name: String$1(),
	modelName: String$1(),
	modelVersion: String$1(),
	dimensions: Integer({ minimum: 1 })
});
const ResolutionData = closed({
	input: closed({ expression: String$1() }),
	status: Enum(["resolved", "abstained"]),
	reason: nullable(String$1()),
	embeddingProfile: nullable(EmbeddingProfile),
	concept: nullable(ResolvedConcept),
	candidates: Array$1(Candidate),
	confidence: nullable(Number$1()),
	margin: nullable(Number$1())
});
const ResolveEnvelope = closed({
	data: ResolutionData,
	error: Null()
});
const ErrorEnvelope = closed({
	data: Null(),
	error: closed({
		code: String$1(),
		message: String$1()
	})
});

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

function readParameter(query, name) {
	const values = [];
	for (const pair of query.split("&")) {
		const [key = "", ...rest] = pair.split("=");
		if (decode(key) === name) values.push(rest.join("="));
	}
	const [raw, ...others] = values;
	if (raw === void 0) return void 0;
	if (others.length > 0) return { refusal: "repeated" };
	return decode(raw) ?? { refusal: "not_utf8" };
}
function textOf(query, name) {
	const text = readParameter(query, name);
	return typeof text === "string" ? text : "";
}
function decode(text) {
	try {
		return decodeURIComponent(text.replaceAll("+", " "));
	} catch {
		return;
	}
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
function formatLanguageTag(tag) {
	let afterSingleton = false;
	return tag.toLowerCase().split("-").map((subtag, position) => {
		const plain = position === 0 || afterSingleton;
		if (subtag.length === 1) afterSingleton = true;
		if (plain || subtag.length !== 2 && subtag.length !== 4) return subtag;
		return subtag.length === 2 ? subtag.toUpperCase() : subtag.charAt(0).toUpperCase() + subtag.slice(1);
	}).join("-");
}
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
function nearRuleTo(asked) {
	const scores = new Map(nearForms(asked).map(({ text, score }) => [text, score]));
	return (other) => {
		const common = nearForms(other).map(({ text, score }) => Math.min(score, scores.get(text) ?? 0));
		const nearest = Math.max(...common);
		return NEAR_RULES.find(({ score }) => score === nearest);
	};
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
const decoder$1 = new TextDecoder();
const HEAD = "{\"data\":{\"input\":{\"expression\":";
const RESOLVED = "},\"status\":\"resolved\",\"reason\":null,\"embeddingProfile\":null,\"concept\":";
const RESOLVED_TAIL = ",\"candidates\":[],\"confidence\":1,\"margin\":null},\"error\":null}";
const ABSTAINED_TAIL = "],\"confidence\":null,\"margin\":null},\"error\":null}";
function formatResolution(index, expression, resolution) {
	const echo = HEAD + JSON.stringify(expression);
	const read = (span) => decoder$1.decode(index.read(span));
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

const scripts = words("adlm arab aran armi avst chrs cprt elym gara hatr hebr hung khar lydi mand mani mend merc mero narb nbat nkoo orkh ougr palm phli phlp phnx prti rohg samr sarb sidt sogd sogo syrc syre syrj syrn thaa yezi");
const languages = words("aao abh abv acm acq acw acx adf ae aeb aec aee aeq afb aib aii aij aiq ajp ajt aju amw apc apd ar arb arc arq ars ary arz ask atn auj auz avd avl ayh ayl ayn ayp azb bal bcc bdz bej bft bgn bgp bhe bhm bhn bjf bjm bqi brh brk bsh bsk chg cja ckb cld clh czk dcc def deh dgl dmk dml drw dv ecy esh fa fay faz fia fub gbz ggg gha ghr gig gjk gju glh glk grr gwc gwf gwt gzi hac haz hbo he hkh hnd hno hoh hrt hrz hss huy isk itk iw jad jat jbe jbn jdg ji jnd jog jpa jpr jrb jye kbu kby kcy kfm khw klj kmz kqd ks ktl kvx kxp kzh lad lah lhs lki lrc lrk lrl lsa lsd lss luv luz mby mde mey mfa mfi mhj mid mki mnj mve mvy myz mzb mzn nli nlm nqo ntz nyq oar obm odk oru ota otk oui pal pbt pbu pes pgd phl phn phr phv plk pmu pnb prc prd prs prx ps psh psi pst qxq rdb rhg rmt sam sbn scl sd sdb sdf sdg sdh sds sgl sgr sgy shd shm shu shv siy siz skr smp smy sog sqo sqt srh srz ssh sts swb syc syn syr tjo tks tmr tnf tov tra trg trm trw ug ur ush uzs vaf vgr vmh wbk wlo wne wni wsv xco xhe xka xkc xkj xkp xld xly xmn xmr xna xpr xsa xsd xvi ydd ydg yhd yi yih yud zba zdj zrp zum");
const turned = words("az-iq az-ir azj-iq azj-ir ha-cm ha-sd kk-af kk-cn kk-ir kk-mn kmr-iq kmr-ir kmr-lb ku-iq ku-ir ku-lb ky-cn mey-sn ms-cc pa-pk sd-in tg-pk ug-kz ug-mn uz-af uzn-af zsm-cc");
function textDirection(tag) {
	const subtags = tag.toLowerCase().split("-");
	const singleton = subtags.findIndex((subtag) => subtag.length === 1);
	const [language = "", ...own] = singleton < 0 ? subtags : subtags.slice(0, singleton);
	const script = own.find((subtag) => /^[a-z]{4}$/.test(subtag));
	if (script !== void 0) return scripts.has(script) ? "rtl" : "ltr";
	const region = own.find((subtag) => /^(?:[a-z]{2}|[0-9]{3})$/.test(subtag));
	return languages.has(language) === turned.has(`${language}-${region}`) ? "ltr" : "rtl";
}
function words(list) {
	return new Set(list.split(" "));
}

function readDetail(index, id) {
	return parse(index, index.concept(id).detail);
}
function parse(index, span) {
	return JSON.parse(decoder.decode(index.read(span)));
}
const decoder = new TextDecoder();

function nearExpressions(index, asked, candidates) {
	const ruleOf = nearRuleTo(asked);
	return candidates.flatMap(({ conceptId, score }) => {
		const { code, name, expressions } = readDetail(index, conceptId);
		return expressions.flatMap((entry) => {
			const rule = ruleOf(entry.expression);
			if (rule === void 0 || Math.min(rule.score, entry.equivalenceStrength) !== score) return [];
			return [{
				code,
				name,
				entry,
				rule: rule.name,
				score
			}];
		});
	});
}

const DIFFERENCE_MAX_LENGTH = 200;
function differenceOf(first, second) {
	if (Math.max(countCodePoints(first), countCodePoints(second)) > 200) return void 0;
	const [a, b] = [Array.from(first), Array.from(second)];
	const common = commonLengths(a, b);
	const runs = [];
	const add = (where, character) => {
		const last = runs.at(-1);
		if (last?.in === where) last.text += character;
		else runs.push({
			in: where,
			text: character
		});
	};
	for (let i = 0, j = 0; i < a.length || j < b.length;) {
		const [mine, theirs] = [a[i], b[j]];
		if (mine !== void 0 && mine === theirs) {
			add("both", mine);
			i++;
			j++;
		} else if (theirs === void 0 || mine !== void 0 && common(i + 1, j) >= common(i, j + 1)) {
			add("first", mine ?? "");
			i++;
		} else {
			add("second", theirs);
			j++;
		}
	}
	return runs;
}
function commonLengths(a, b) {
	const width = b.length + 1;
	const lengths = new Uint8Array((a.length + 1) * width);
	const at = (i, j) => lengths[i * width + j] ?? 0;
	for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
	return at;
}

function retiredNotice({ retiredIn, replacedBy, isFollowed, name, reason }, { say }) {
	const successor = html`<code>${replacedBy ?? ""}</code>`;
	const code = isFollowed === true ? html`<a href="/concepts/${replacedBy ?? ""}">${successor}</a>` : successor;
	return html`<div class="notice">
    <p>
      ${say("missing.retired", { version: retiredIn })}
      ${name === null ? void 0 : say("missing.was", { name: html`<bdi>${name}</bdi>` })}
      ${reason === null ? void 0 : html`<bdi>${reason}</bdi>`}
    </p>
    <p>${replacedBy === null ? say("missing.no-successor") : say("missing.successor", { code })}</p>
  </div>`;
}

const Url = String$1({ format: "uri" });
const Text = String$1({ minLength: 1 });
const Texts = Array$1(Text, { minItems: 1 });
const Sha256 = String$1({ pattern: "^[0-9a-f]{64}$" });
const FILE_PATH = "^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$";
const FileDigest = closed({
	path: String$1({ pattern: FILE_PATH }),
	bytes: Integer({ minimum: 0 }),
	sha256: Sha256
});
const ReleaseLabel = closed({
	productVersion: String$1({ pattern: "^v[1-9][0-9]*$" }),
	packageVersion: String$1({ pattern: "^v[1-9][0-9]*(?:-wip)?$" }),
	classification: Enum(["wip", "final"]),
	updated: String$1({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
	apiVersion: Text
});
const Readiness = closed({
	status: Enum(["ready", "not_ready_empty_registry"]),
	exactResolutionReady: Boolean(),
	registryVersion: Text,
	publishedConcepts: Integer({ minimum: 0 }),
	reviewedExactExpressions: Integer({ minimum: 0 })
});
const endSchema = {
	sideEffects: Literal("none"),
	authorizationGranted: Literal("none")
};
const Outcome = closed({
	outcome: Text,
	when: Text,
	action: Text,
	conceptCode: Boolean()
});

const TOOL_NAME = "resolve_service_semantics";
const MCP_PROTOCOL_VERSION = "2026-07-28";
const MCP_METHODS = [
	"server/discover",
	"tools/list",
	"tools/call",
	"resources/list",
	"resources/read",
	"prompts/list",
	"prompts/get"
];
const clientText = String$1({
	minLength: 1,
	maxLength: 200
});
const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const REQUEST_META = {
	[PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION,
	[CLIENT_CAPABILITIES_KEY]: {}
};
const MCPRequestMeta = open({
	[PROTOCOL_VERSION_KEY]: Literal(MCP_PROTOCOL_VERSION),
	[CLIENT_CAPABILITIES_KEY]: open({}),
	"io.modelcontextprotocol/clientInfo": Optional(open({
		name: clientText,
		version: clientText
	}))
});
const RequestId = Union([String$1(), Integer({
	minimum: Number.MIN_SAFE_INTEGER,
	maximum: Number.MAX_SAFE_INTEGER
})]);
const MCPJsonRpcRequest = closed({
	jsonrpc: Literal("2.0"),
	id: RequestId,
	method: Enum([...MCP_METHODS]),
	params: open({ _meta: MCPRequestMeta })
});
const MCPJsonRpcSuccess = closed({
	jsonrpc: Literal("2.0"),
	id: RequestId,
	result: open({ resultType: Enum(["complete", "input_required"]) })
});
const MCPJsonRpcError = closed({
	jsonrpc: Literal("2.0"),
	id: nullable(RequestId),
	error: closed({
		code: Integer(),
		message: String$1(),
		data: Optional(Unknown())
	})
});
const MCPJsonRpcResponse = Union([MCPJsonRpcSuccess, MCPJsonRpcError]);
const MCPConnectionManifest = open({
	$schema: Unknown(),
	schema: Unknown(),
	service: Unknown(),
	protocol: Unknown(),
	requestRequirements: Unknown(),
	security: Unknown(),
	capabilities: Unknown(),
	supportedMethods: Unknown(),
	identityAcceptanceRule: Unknown(),
	directApiAlternative: Unknown()
});
const Named = {
	name: Text,
	title: Text,
	description: Text
};
const Tool = closed({
	...Named,
	name: Literal(TOOL_NAME),
	inputSchema: open({}),
	outputSchema: open({}),
	annotations: closed({
		readOnlyHint: Literal(true),
		destructiveHint: Literal(false),
		idempotentHint: Literal(true),
		openWorldHint: Literal(false)
	})
});
const Resource = closed({
	uri: Url,
	...Named,
	mimeType: Text,
	size: Integer({ minimum: 0 })
});
const Prompt = closed({
	...Named,
	arguments: Array$1(closed({
		...Named,
		required: Boolean()
	})),
	text: Text
});
const MCPDefinition = closed({
	schema: Literal("service-semantics.mcp.v1"),
	serverInfo: closed({
		name: Text,
		title: Text,
		version: Text,
		websiteUrl: Url
	}),
	instructions: Text,
	tools: Array$1(Tool, {
		minItems: 1,
		maxItems: 1
	}),
	resources: Array$1(Resource),
	prompts: Array$1(Prompt)
});

function shellQuote(text) {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}

function requestSamples(request, mcp) {
	return [
		{
			id: "curl",
			title: "curl",
			language: "sh",
			text: curl(request)
		},
		{
			id: "javascript",
			title: "JavaScript",
			language: "javascript",
			text: javaScript(request)
		},
		{
			id: "python",
			title: "Python",
			language: "python",
			text: python(request)
		},
		...mcp === void 0 ? [] : [{
			id: "mcp",
			title: "MCP",
			language: "sh",
			text: curl(mcp)
		}]
	];
}
function resolveRequests(origin, request) {
	return [{
		url: origin + paths.resolve,
		headers: { "Content-Type": "application/json" },
		body: request,
		as: "json"
	}, mcpRequest(origin, {
		method: "tools/call",
		params: {
			name: TOOL_NAME,
			arguments: request
		}
	})];
}
function mcpRequest(origin, { method, params = {} }) {
	const { name } = params;
	return {
		url: origin + paths.mcp,
		headers: {
			"Content-Type": "application/json",
			Accept: "application/json, text/event-stream",
			"MCP-Protocol-Version": MCP_PROTOCOL_VERSION,
			"Mcp-Method": method,
			...typeof name === "string" && { "Mcp-Name": name }
		},
		body: {
			jsonrpc: "2.0",
			id: 1,
			method,
			params: {
				...params,
				_meta: REQUEST_META
			}
		},
		as: "json"
	};
}
function curl({ url, headers = {}, body, as }, separator = " \\\n  ") {
	return [
		`curl -s ${as === "bytes" ? "-O " : ""}${shellQuote(url)}`,
		...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
		...body === void 0 ? [] : [`-d ${shellQuote(JSON.stringify(body))}`]
	].join(separator);
}
function javaScript({ url, headers, body, as }) {
	const options = [
		...body === void 0 ? [] : ["method: \"POST\""],
		...headers === void 0 ? [] : [`headers: ${JSON.stringify(headers)}`],
		...body === void 0 ? [] : [`body: JSON.stringify(${JSON.stringify(body)})`]
	].map((line) => `\n  ${line},`);
	const rest = options.length === 0 ? "" : `, {${options.join("")}\n}`;
	const read = {
		json: "json",
		text: "text",
		bytes: "arrayBuffer"
	}[as];
	return `const response = await fetch(${JSON.stringify(url)}${rest});\nconst answer = await response.${read}();`;
}
function python({ url, headers, body, as }) {
	const lines = [
		JSON.stringify(url),
		...body === void 0 ? [] : [`data=json.dumps(${JSON.stringify(body)}).encode()`],
		...headers === void 0 ? [] : [`headers=${JSON.stringify(headers)}`]
	];
	const request = lines.length === 1 ? lines[0] : `urllib.request.Request(\n    ${lines.join(",\n    ")},\n)`;
	const opened = lines.length === 1 ? request : "request";
	const read = {
		json: "json.load(response)",
		text: "response.read().decode()",
		bytes: "response.read()"
	}[as];
	return [
		as === "json" ? "import json, urllib.request" : "import urllib.request",
		...lines.length === 1 ? [] : [`request = ${request}`],
		`with urllib.request.urlopen(${opened}) as response:`,
		`    answer = ${read}`
	].join("\n");
}

const ADDRESS_MAX_LENGTH = 4e3;
function resolveAddress({ expression, language = "" }) {
	const isAsked = language !== "" && language.length <= 35;
	const asked = `${paths.resolvePage}?expression=${encodeURIComponent(expression)}`;
	const address = isAsked ? `${asked}&language=${encodeURIComponent(language)}` : asked;
	return address.length > ADDRESS_MAX_LENGTH ? void 0 : address;
}
function toResolution(request, text) {
	const address = resolveAddress(request);
	return address === void 0 ? text : html`<a href="${address}">${text}</a>`;
}
function candidateList(index, { input, reason, candidates }, { say }) {
	if (candidates.length === 0) return void 0;
	const scored = candidates.flatMap(({ code, score }) => {
		const conceptId = index.conceptId(code);
		return conceptId === void 0 ? [] : [{
			conceptId,
			score
		}];
	});
	const near = reason === "no_reviewed_exact_match" ? nearExpressions(index, input.expression, scored) : [];
	const items = near.length > 0 ? near.slice(0, 10).map((one) => nearItem(input.expression, one, say)) : candidates.map(({ code, name, score }) => html`<li>${conceptLink({
		code,
		name,
		score
	}, say)}</li>`);
	return html` <h3>${say("resolve.candidates")}</h3>
    <ul>
      ${items}
    </ul>`;
}
function conceptLink({ code, name, score }, say) {
	return html`<a href="/concepts/${code}" dir="auto">${name}</a>
    <span class="note">${say("resolve.candidate", {
		code,
		score
	})}</span>`;
}
function nearItem(asked, { entry, rule, ...concept }, say) {
	const { expression, locale, language } = entry;
	const tag = formatLanguageTag(locale ?? language);
	const text = html`<bdi lang="${tag}" dir="${textDirection(tag)}">${expression}</bdi>`;
	return html`<li>
    ${toResolution({
		expression,
		language: tag
	}, text)}
    <span class="tag">${tag}</span>
    <span class="note">${say(`near.${rule}`)}${differing(asked, expression)}</span><br />
    ${conceptLink(concept, say)}
  </li>`;
}
function differing(asked, expression) {
	const runs = differenceOf(asked, expression);
	if (runs === void 0) return void 0;
	const marked = runs.map((run) => run.in === "both" ? run.text : run.in === "first" ? html`<del>${run.text}</del>` : html`<ins>${run.text}</ins>`);
	return html`: <bdi class="difference">${marked}</bdi>`;
}
function formerNotice({ code, until }, retired, texts) {
	const { say } = texts;
	const now = html`<a href="/concepts/${code}"><code>${code}</code></a>`;
	return html`<p>
      ${say("resolve.former", {
		version: until,
		code: retired === void 0 ? now : html`<code>${code}</code>`
	})}
    </p>
    ${retired && retiredNotice(retired, texts)}`;
}
function abstentionLinks(request, proposals, { say }) {
	const isFilter = countCodePoints(request.expression) <= 200;
	return html`<ul class="onward">
    ${isFilter ? html`<li><a href="/concepts?q=${encodeURIComponent(request.expression)}">${say("resolve.filter")}</a></li>` : void 0}
    ${proposals === void 0 ? void 0 : html`<li><a href="${proposalAddress(proposals, request)}">${say("resolve.propose")}</a></li>`}
  </ul>`;
}
function proposalAddress(template, { expression, language = "" }) {
	const values = {
		expression,
		language
	};
	return template.replaceAll(/\{(expression|language)\}/g, (_whole, name) => expand(values[name] ?? ""));
}
function expand(value) {
	return encodeURIComponent(value).replaceAll(/[!'()*]/g, percentEncoded);
}
function percentEncoded(character) {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
function sharing(request, origin, { say }) {
	const share = html`<p class="share">${toResolution(request, say("resolve.share"))}</p>`;
	const shared = resolveAddress(request) === void 0 ? html`` : share;
	if (origin === void 0) return shared;
	return html`${shared}
    <details class="requests">
      <summary>${say("resolve.by-program")}</summary>
      ${requestSamples(...resolveRequests(origin, request)).map(({ title, text }) => html`<h3>${title}</h3>
            <div class="block">
              <pre tabindex="0" dir="ltr"><code data-copy>${text}</code></pre>
            </div>`)}
    </details>`;
}

function resolutionPage(index, query, around) {
	const { texts } = around;
	const { say } = texts;
	const [expression, language] = [textOf(query, "expression"), textOf(query, "language")];
	const fields = [readParameter(query, "expression"), readParameter(query, "language")];
	const isReadable = fields.every((field) => typeof field !== "object");
	const outcome = fields[0] === void 0 ? void 0 : isReadable ? outcomeOf(index, expression, language) : unreadable;
	const main = html`
    <h1>${say("resolve.title")}</h1>
    ${resolveForm(expression, language, texts)}
    <div id="outcome" aria-live="polite">${outcome && outcomeSection(index, outcome, around)}</div>
  `;
	return {
		title: say(outcome === void 0 ? "resolve.title" : `resolve.title-${outcome.kind}`),
		main
	};
}
const unreadable = {
	kind: "refused",
	message: "Each field may be given only once, in percent-encoded UTF-8"
};
function outcomeOf(index, expression, language) {
	const request = language === "" ? { expression } : {
		expression,
		language
	};
	const answer = answerRequest(index, request);
	if (!answer.ok) return {
		kind: "refused",
		message: answer.problem.message
	};
	const { data } = JSON.parse(answer.envelope);
	return {
		kind: data.status,
		data,
		request
	};
}
function resolveForm(expression, language, { say }) {
	return html` <form class="resolve" action="/resolve" method="get">
    <p>
      <label for="expression">${say("resolve.expression")}</label>
      <input
        id="expression"
        name="expression"
        type="text"
        value="${expression}"
        required
        maxlength="${EXPRESSION_MAX_LENGTH * 2}"
        dir="auto"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="expression-hint"
      />
      <span class="note" id="expression-hint">${say("resolve.expression-hint")}</span>
    </p>
    <p>
      <label for="language">${say("resolve.language")} <span class="note">${say("resolve.optional")}</span></label>
      <input
        id="language"
        name="language"
        type="text"
        value="${language}"
        maxlength="${35}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="language-hint"
      />
      <span class="note" id="language-hint">${say("resolve.language-hint")}</span>
    </p>
    <button type="submit">${say("resolve.button")}</button>
  </form>`;
}
function outcomeSection(index, outcome, around) {
	const { texts, origin } = around;
	const { say, english } = texts;
	if (outcome.kind === "refused") return html` <section class="outcome refused">
      <p class="verdict">${say("resolve.refused")}</p>
      <h2>${say("resolve.refused-heading")}</h2>
      <p>${english(`${outcome.message}.`)} ${say("resolve.no-code")}</p>
    </section>`;
	const { kind, data, request } = outcome;
	const section = kind === "resolved" && data.concept !== null ? resolved(data.concept, request, texts) : abstention(index, {
		data,
		request
	}, around);
	return html`${section} ${sharing(request, origin, texts)}`;
}
function resolved(concept, { expression, language }, { say }) {
	const { code, name, definition, domain, registryVersion } = concept;
	return html` <section class="outcome resolved">
    <p class="verdict">${say("resolve.resolved")}</p>
    <h2 dir="auto">${name}</h2>
    <p class="code"><code data-copy>${code}</code></p>
    <p dir="auto">${definition}</p>
    <dl class="facts">
      <div>
        <dt>${say("resolve.expression")}</dt>
        <dd>${asked(expression, language)}</dd>
      </div>
      ${language && html`<div>
          <dt>${say("resolve.language")}</dt>
          <dd>${language}</dd>
        </div>`}
      <div>
        <dt>${say("resolve.domain")}</dt>
        <dd>${domain}</dd>
      </div>
      <div>
        <dt>${say("resolve.version")}</dt>
        <dd>${registryVersion}</dd>
      </div>
    </dl>
    <p>${say("resolve.record")}</p>
    <p><a href="/concepts/${code}">${say("resolve.concept")}</a></p>
  </section>`;
}
function asked(expression, language) {
	if (language === void 0) return html`<bdi>${expression}</bdi>`;
	return html`<bdi lang="${language}" dir="${textDirection(language)}">${expression}</bdi>`;
}
function abstention(index, { data, request }, { texts, past, proposals }) {
	const { say } = texts;
	const { reason } = data;
	const known = ABSTENTION_REASONS.find((name) => name === reason);
	const isUnknown = reason === "no_reviewed_exact_match";
	const former = isUnknown || reason === "language_not_matched" ? past?.former(request) : void 0;
	return html`
    <section class="outcome abstained">
      <p class="verdict">${say("resolve.abstained")}</p>
      <h2>${say("resolve.no-code-heading")}</h2>
      <p><bdi>${request.expression}</bdi></p>
      <p>${say(known === void 0 ? "resolve.unclear" : `reason.${known}`)}.</p>
      <p class="note">${say("resolve.valid", { reason: html`<code>${reason ?? say("resolve.no-reason")}</code>` })}</p>
      ${former && formerNotice(former, past?.retired(former.code), texts)} ${candidateList(index, data, texts)}
      ${isUnknown ? abstentionLinks(request, proposals, texts) : void 0}
    </section>
  `;
}

function textsOf({ language, texts }) {
	const say = (key, values = {}) => {
		const fragment = texts[key];
		if (fragment === void 0) throw new Error(`The interface has no text ${key}`);
		return fillMarkup(fragment, values);
	};
	return {
		language,
		say,
		count: (key, of, values) => say(`${key}-${of === 1 ? "one" : "other"}`, values),
		english: (text) => language === "en" ? text : html`<span lang="en" dir="ltr">${text}</span>`,
		own: (value) => language === "en" ? value : html`<span lang="${language}" dir="${textDirection(language)}">${value}</span>`
	};
}

async function remotePage(registry, query, { languages, proposals, language }) {
	const own = languages.find((one) => one.language === language) ?? languages[0];
	if (own === void 0) throw new TypeError("The interface has no language");
	const around = {
		texts: textsOf(own),
		proposals,
		origin: void 0,
		past: void 0
	};
	const content = await registry.ask((index) => resolutionPage(index, query, around));
	return markEnglish(formatMain(content, own.language === "en" ? "" : `/${own.language}`));
}

export { remotePage };
