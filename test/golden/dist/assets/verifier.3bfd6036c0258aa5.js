/**
 * Verifies proofs of a registry's transparency log offline; one file that imports nothing:
 *
 *   const policy = "log " + verifierKey + "\nquorum none\n";
 *   const asked = { expression: "...", language: "en", code: "..." };
 *   const { registryVersion, bindings } = await verifyProof(text, policy, asked);
 *
 * Rejects with an Error that says what contradicts what. Needs WebCrypto with Ed25519.
 */
/**
 * Makes them too, from the published files of a log:
 *
 *   const text = await proveExpressions(address, policy, [{ expression: "...", language: "en" }]);
 */
var ProofError = class extends Error {
	name = "ProofError";
};
const webCrypto = {
	sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
	async verifyEd25519({ publicKey, message, signature }) {
		const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
		return crypto.subtle.verify("Ed25519", key, signature, message);
	}
};
const LOG_KEY = 1;
const WITNESS_KEY = 4;
const encoder$1 = new TextEncoder();
const NOT_IN_NAMES = /[\s\u0085+]/u;
async function parseVerifierKey(text, cryptography = webCrypto) {
	const [, name = "", id = "", encoded = ""] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
	const key = decodeBase64(encoded);
	if (name === "" || NOT_IN_NAMES.test(name) || key === void 0 || key.length === 0) throw new ProofError("The verifier key is not of the form name+hash+base64");
	const [type = 0] = key;
	if (type !== 1 && type !== WITNESS_KEY) throw new ProofError(`The verifier key of ${name} has type ${type}: only Ed25519 (1 and 4) is supported`);
	if (key.length !== 33) throw new ProofError(`The verifier key of ${name} does not have 32 bytes`);
	const due = hexOf((await cryptography.sha256(joinBytes([encoder$1.encode(`${name}\n`), key]))).subarray(0, 4));
	if (due !== id) throw new ProofError(`The verifier key of ${name} has the key id ${id}, but its key makes ${due}`);
	return {
		name,
		id,
		type,
		publicKey: key.subarray(1)
	};
}
const MOST_SIGNATURES = 100;
function parseNote(note) {
	if (/[\u0000-\u0009\u000b-\u001f\p{Surrogate}]/u.test(note)) throw new ProofError("The note holds a control character or is not Unicode");
	const split = note.lastIndexOf("\n\n");
	if (split < 0 || !note.endsWith("\n")) throw new ProofError("The note has no signature after an empty line");
	const lines = note.slice(split + 2, -1).split("\n");
	if (lines.length > MOST_SIGNATURES) throw new ProofError(`The note has more than ${MOST_SIGNATURES} signatures`);
	const signatures = lines.map((line) => {
		const [, name = "", encoded = ""] = /^\u2014 ([^ ]+) ([^ ]+)$/u.exec(line) ?? [];
		const bytes = decodeBase64(encoded);
		if (name === "" || NOT_IN_NAMES.test(name) || bytes === void 0 || bytes.length < 5) throw new ProofError(`The signature line ${JSON.stringify(line.slice(0, 40))} is not "— name base64"`);
		return {
			name,
			id: hexOf(bytes.subarray(0, 4)),
			bytes: bytes.subarray(4),
			line
		};
	});
	return {
		text: note.slice(0, split + 1),
		signatures
	};
}
function parseCheckpoint(text) {
	const [origin = "", size = "", encoded = "", ...rest] = text.split("\n");
	const root = decodeBase64(encoded);
	if (origin === "" || root?.length !== 32 || rest.pop() !== "" || rest.includes("")) throw new ProofError("The checkpoint is not three lines of origin, size and root");
	return {
		origin,
		size: parseNumber(size, "The tree size of the checkpoint"),
		root
	};
}
async function verifyCheckpoint(note, { logs, witnesses, isQuorum, quorum }, cryptography = webCrypto) {
	const { text, signatures } = parseNote(note);
	const checkpoint = parseCheckpoint(text);
	const keys = logs.filter(({ name }) => name === checkpoint.origin);
	if (keys.length === 0) throw new ProofError(`The checkpoint is of ${checkpoint.origin}, not of ${namesOf(logs)}`);
	const linesOf = ({ name, id }) => signatures.filter((line) => line.name === name && line.id === id);
	const check = async (key, message, signature) => {
		const signed = {
			publicKey: key.publicKey,
			message: encoder$1.encode(message),
			signature
		};
		if (signature.length !== 64 || !await cryptography.verifyEd25519(signed)) throw new ProofError(`The signature of ${key.name} does not verify`);
	};
	let isSigned = false;
	for (const key of keys) for (const { bytes } of linesOf(key)) {
		await check(key, text, bytes);
		isSigned = true;
	}
	if (!isSigned) {
		const ids = signatures.filter(({ name }) => name === checkpoint.origin).map(({ id }) => id);
		const other = ids.length === 0 ? "has no signature by" : `has the key id ${ids.join(", ")} instead of`;
		throw new ProofError(`The checkpoint ${other} ${keys.map(({ name, id }) => `${name}+${id}`).join(", ")}`);
	}
	const seen = /* @__PURE__ */ new Map();
	for (const [name, key] of witnesses) for (const { bytes } of linesOf(key)) {
		const time = bytes.length < 8 ? -1 : Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
		if (!Number.isSafeInteger(time) || time < 0) throw new ProofError(`The cosignature of ${name} has no valid time`);
		await check(key, `cosignature/v1\ntime ${time}\n${text}`, bytes.subarray(8));
		seen.set(name, time);
	}
	if (!isQuorum(new Set(seen.keys()))) throw new ProofError(`The checkpoint is cosigned by ${namesOf(seen.keys())}, which is not the "${quorum}"`);
	return {
		...checkpoint,
		witnesses: [...seen].map(([name, time]) => ({
			name,
			time
		}))
	};
}
function namesOf(all) {
	const names = Array.from(all, (one) => typeof one === "string" ? one : one.name);
	return names.length === 0 ? "no known witness" : names.join(", ");
}
function parseProof(text) {
	const split = text.indexOf("\n\n");
	const lines = split < 0 ? [] : text.slice(0, split).split("\n");
	if (lines.shift() !== "c2sp.org/tlog-proof@v1") throw new ProofError("The proof does not begin with \"c2sp.org/tlog-proof@v1\"");
	const extra = decodeBase64(lines[0]?.startsWith("extra ") === true ? (lines.shift() ?? "").slice(6) : "");
	const index = /^index (.*)$/.exec(lines.shift() ?? "")?.[1];
	const path = lines.map(decodeBase64);
	if (extra === void 0 || index === void 0 || !path.every((hash) => hash?.length === 32)) throw new ProofError("The proof is not lines of extra, index and hashes in base64");
	return {
		extra,
		index: parseNumber(index, "The index of the proof"),
		path,
		checkpoint: text.slice(split + 2)
	};
}
async function rootOf({ leaf, index, size, path }, { sha256 } = webCrypto) {
	if (index >= size) throw new ProofError(`Index ${index} is not in a tree of size ${size}`);
	let [fn, sn] = [index, size - 1];
	let root = await sha256(joinBytes([Uint8Array.of(0), leaf]));
	const wrong = () => new ProofError(`The path of index ${index} is not one of a tree of size ${size}`);
	for (const hash of path) {
		if (sn === 0) throw wrong();
		if (fn % 2 === 1 || fn === sn) {
			root = await sha256(joinBytes([
				Uint8Array.of(1),
				hash,
				root
			]));
			while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
		} else root = await sha256(joinBytes([
			Uint8Array.of(1),
			root,
			hash
		]));
		[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
	}
	if (sn !== 0) throw wrong();
	return root;
}
function parseNumber(text, what) {
	const number = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : NaN;
	if (Number.isNaN(number)) throw new ProofError(`${what} is not a decimal number`);
	if (!Number.isSafeInteger(number)) throw new ProofError(`${what} is not below 2^53`);
	return number;
}
function decodeBase64(text) {
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return void 0;
	const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	return encodeBase64(bytes) === text ? bytes : void 0;
}
function encodeBase64(bytes) {
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return btoa(text);
}
function hexOf(bytes) {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function joinBytes(parts) {
	const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.length;
	}
	return joined;
}

async function parsePolicy(text, cryptography = webCrypto) {
	const reading = {
		logs: [],
		witnesses: /* @__PURE__ */ new Map(),
		rules: /* @__PURE__ */ new Map(),
		members: /* @__PURE__ */ new Set(),
		quorum: void 0
	};
	for (const [i, line] of text.split("\n").entries()) {
		const words = line.split(/[ \t]+/).filter((word) => word !== "");
		if (words.length === 0 || words[0]?.startsWith("#") === true) continue;
		try {
			await readLine(reading, words, cryptography);
		} catch (error) {
			if (!(error instanceof ProofError)) throw error;
			throw new ProofError(`Line ${i + 1} of the policy: ${error.message}`);
		}
	}
	const { logs, witnesses, quorum } = reading;
	if (quorum === void 0) throw new ProofError("The policy has no \"quorum\" line");
	return {
		logs,
		witnesses,
		isQuorum: quorum.rule,
		quorum: quorum.line
	};
}
async function readLine(reading, words, cryptography) {
	const [kind, ...rest] = words;
	const key = async (text = "") => parseVerifierKey(text, cryptography);
	if (kind === "log" && rest.length <= 2) addLog(reading, await key(rest[0]));
	else if (kind === "witness" && rest.length <= 3) addWitness(reading, rest[0], await key(rest[1]));
	else if (kind === "group") addGroup(reading, rest);
	else if (kind === "quorum" && rest.length === 1) setQuorum(reading, words);
	else throw new ProofError(`${JSON.stringify(words.join(" "))} is not a log, witness, group or quorum`);
}
function addLog({ logs }, key) {
	if (key.type !== 1) throw new ProofError(`${key.name} is not the key of a log: it has type ${key.type}`);
	requireNew(logs, key);
	logs.push(key);
}
function addWitness({ witnesses, rules }, name, key) {
	if (key.type === 1) throw new ProofError(`${key.name} is not the key of a witness: it has type ${key.type}`);
	requireNew([...witnesses.values()], key);
	const own = requireName(rules, name);
	witnesses.set(own, key);
	rules.set(own, (cosigned) => cosigned.has(own));
}
function requireNew(known, { name, publicKey }) {
	if (known.some((one) => one.publicKey.every((byte, i) => byte === publicKey[i]))) throw new ProofError(`The public key of ${name} is there twice`);
}
function requireName(rules, name = "") {
	if (name === "" || name === "none" || rules.has(name)) throw new ProofError(`${JSON.stringify(name)} is not a new name`);
	return name;
}
function addGroup({ rules, members }, [name, threshold = "", ...names]) {
	const own = requireName(rules, name);
	const group = names.map((member) => {
		const rule = rules.get(member);
		if (rule === void 0) throw new ProofError(`${JSON.stringify(member)} is not defined before it`);
		if (members.has(member)) throw new ProofError(`${JSON.stringify(member)} is already a member of a group`);
		members.add(member);
		return rule;
	});
	const least = {
		any: 1,
		all: group.length
	}[threshold] ?? parseNumber(threshold, `The threshold of ${own}`);
	if (least < 1 || least > group.length) throw new ProofError(`${own} has ${group.length} members, so ${least} of them cannot cosign`);
	rules.set(own, (cosigned) => group.filter((isMet) => isMet(cosigned)).length >= least);
}
function setQuorum(reading, [kind, name = ""]) {
	if (reading.quorum !== void 0) throw new ProofError("The quorum is there twice");
	const rule = name === "none" ? () => true : reading.rules.get(name);
	if (rule === void 0) throw new ProofError(`${JSON.stringify(name)} is not defined before it`);
	reading.quorum = {
		line: `${kind} ${name}`,
		rule
	};
}

const ENTRY_SCHEMA = "service-semantics.log-entry.v1";
const decoder = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
const encoder = new TextEncoder();
async function verifyProof$1(text, trust) {
	const { policy, asked = {}, cryptography = webCrypto } = trust;
	const { extra, index, path, checkpoint: note } = parseProof(text);
	const checkpoint = await verifyCheckpoint(note, policy, cryptography);
	const [statement, ...records] = splitRecords(extra, "The extra data of the proof");
	if (statement === void 0) throw new ProofError("The proof holds no entry of a release");
	await requireRoot({
		leaf: statement,
		index,
		size: checkpoint.size,
		path
	}, encodeBase64(checkpoint.root), {
		of: "the checkpoint",
		cryptography
	});
	const entry = parseEntry(statement);
	if (asked.registryVersion !== void 0 && asked.registryVersion !== entry.registryVersion) throw new ProofError(`The proof is of ${entry.registryVersion}, not of ${asked.registryVersion}`);
	return {
		checkpoint,
		index,
		entry,
		bindings: await answerIn(await verifyLeaves(records, entry, cryptography), {
			asked,
			entry,
			cryptography
		})
	};
}
async function requireRoot(inclusion, due, { of, cryptography }) {
	const root = encodeBase64(await rootOf(inclusion, cryptography));
	if (root !== due) throw new ProofError(`The path of index ${inclusion.index} leads to ${root}, not to ${due} of ${of}`);
}
async function verifyLeaves(records, { bindings, registryVersion }, cryptography) {
	const leaves = [];
	for (let i = 0; i < records.length; i += 2) {
		const [leaf, place] = [records[i], records[i + 1]];
		if (leaf === void 0 || place === void 0 || place.length % 32 !== 8) throw new ProofError("The proof holds a binding without its place in the tree");
		const index = Number(new DataView(place.buffer, place.byteOffset).getBigUint64(0));
		const path = Array.from({ length: (place.length - 8) / 32 }, (_, n) => place.subarray(8 + 32 * n, 40 + 32 * n));
		const of = `the bindings of ${registryVersion}`;
		await requireRoot({
			leaf,
			index,
			size: bindings.count,
			path
		}, bindings.root, {
			of,
			cryptography
		});
		leaves.push({
			index,
			binding: parseBinding(leaf)
		});
	}
	return leaves;
}
async function answerIn(leaves, question) {
	const { expression, language, code } = question.asked;
	const { bindings, registryVersion } = question.entry;
	if (leaves.length === 0 && (bindings.count > 0 || expression === void 0)) {
		if (expression === void 0 && code === void 0) return [];
		throw new ProofError(`The proof is of the release ${registryVersion} alone, not of an expression`);
	}
	const asked = leaves.map(({ binding }) => binding).filter((binding) => isSame(binding, question.asked));
	if (asked.length > 0) {
		for (const binding of asked) requireCode(binding, code);
		return asked;
	}
	if (expression === void 0) throw new ProofError(`The proof is of no expression in ${language ?? "no language"}`);
	if (language === void 0) throw new ProofError(`The proof is not of ${JSON.stringify(expression)}: name its language`);
	await requireGap(leaves, {
		...question,
		expression,
		language
	});
	if (code !== void 0) throw new ProofError(`${JSON.stringify(expression)} was never bound to ${code} or any code`);
	return null;
}
function isSame(binding, { expression, language }) {
	return (expression === void 0 || expression.normalize("NFC") === binding.expression) && (language === void 0 || tagKey(language) === tagKey(binding.language));
}
function requireCode({ codes, expression }, code) {
	if (code === void 0 || codes.length === 1 && codes[0]?.[0] === code) return;
	const had = codes.map(([one, version]) => `${one} from ${version}`).join(", ");
	throw new ProofError(`${JSON.stringify(expression)} has meant ${had}, not ${code} alone`);
}
async function requireGap(leaves, { expression, language, entry, cryptography }) {
	const { count } = entry.bindings;
	const key = await leafKey({
		expression: expression.normalize("NFC"),
		language
	}, cryptography);
	const keys = await Promise.all(leaves.map(({ binding }) => leafKey(binding, cryptography)));
	const places = leaves.map(({ index }) => index);
	const [first = 0, last = first] = places;
	const isPair = places.length === 2 && last === first + 1;
	const isEdge = places.length === 1 && (first === 0 || first === count - 1);
	const isAfter = (one = "") => one < key;
	if (!(isPair ? isAfter(keys[0]) && !isAfter(keys[1]) && keys[1] !== key : isEdge && keys[0] !== key && (isAfter(keys[0]) ? first === count - 1 : first === 0)) && count > 0) throw new ProofError(`The proof is not about ${JSON.stringify(expression)} in ${language ?? "no language"}`);
}
async function leafKey({ expression, language }, { sha256 }) {
	const key = await sha256(joinBytes([
		encoder.encode(expression),
		Uint8Array.of(0),
		encoder.encode(tagKey(language))
	]));
	return Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function tagKey(language) {
	return (language ?? "").toLowerCase();
}
function splitRecords(bytes, from) {
	const records = [];
	for (let at = 0; at < bytes.length;) {
		const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
		if (at + 2 > bytes.length || end > bytes.length) throw new ProofError(`${from} is cut short`);
		records.push(bytes.subarray(at + 2, end));
		at = end;
	}
	return records;
}
function parseEntry(bytes) {
	const { text, value } = parseJson(bytes, "The entry");
	const { bindings, bundleSha256, contentSha256, indexRootSha256, origin, previous, reassigned, ...rest } = value;
	const { registry, registryVersion, schema, sumsSha256 } = rest;
	const head = {
		bindings: {
			count: bindings?.count,
			root: bindings?.root
		},
		bundleSha256,
		contentSha256
	};
	const middle = {
		indexRootSha256,
		origin,
		previous,
		reassigned,
		registry,
		registryVersion,
		schema,
		sumsSha256
	};
	const entry = {
		...head,
		...middle
	};
	if (JSON.stringify(entry) !== text || schema !== "service-semantics.log-entry.v1" || typeof registryVersion !== "string") throw new ProofError(`The entry is not canonical JSON of ${ENTRY_SCHEMA}`);
	parseNumber(String(bindings.count), "The count of the bindings");
	return entry;
}
function parseBinding(bytes) {
	const { text, value } = parseJson(bytes, "The binding");
	const { codes, expression, language } = value;
	if (!(Array.isArray(codes) && codes.length > 0 && codes.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string")) && typeof expression === "string" && (typeof language === "string" || language === null)) || JSON.stringify({
		codes,
		expression,
		language
	}) !== text) throw new ProofError("The binding is not canonical JSON of codes, expression and language");
	if (expression.normalize("NFC") !== expression) throw new ProofError(`The binding of ${JSON.stringify(expression)} is not in Unicode NFC`);
	return {
		codes,
		expression,
		language
	};
}
function parseJson(bytes, what) {
	try {
		const text = decoder.decode(bytes);
		const value = JSON.parse(text);
		if (typeof value === "object" && value !== null) return {
			text,
			value
		};
	} catch {}
	throw new ProofError(`${what} is not JSON in UTF-8`);
}

async function verifyProof(text, policy, asked = {}) {
	const trust = await parsePolicy(policy);
	if (trust.logs.length === 0) throw new ProofError("The policy names no log");
	const { checkpoint, entry, bindings } = await verifyProof$1(text, {
		policy: trust,
		asked
	});
	const { origin, size, root, witnesses } = checkpoint;
	const { registry, registryVersion, contentSha256, sumsSha256 } = entry;
	return {
		log: {
			origin,
			size,
			root: btoa(String.fromCharCode(...root))
		},
		witnesses,
		registry,
		registryVersion,
		contentSha256,
		sumsSha256,
		bindings
	};
}

function keyOf(expression) {
	return /[^ -\u02ff]/.test(expression) ? expression.normalize("NFC") : expression;
}

var UsageError = class extends Error {
	name = "UsageError";
};

function splitOf(count) {
	let half = 1;
	while (half * 2 < count) half *= 2;
	return count === 1 ? 0 : half;
}
function inclusionPath(index, size) {
	const path = [];
	for (let [start, end] = [0, size]; end - start > 1;) {
		const middle = start + splitOf(end - start);
		const isLeft = index < middle;
		path.push(isLeft ? {
			start: middle,
			end
		} : {
			start,
			end: middle
		});
		[start, end] = isLeft ? [start, middle] : [middle, end];
	}
	return path.toReversed();
}

const WIDTH = 256;
const HASH_BYTES = 32;
function tilePath({ level, index, width }) {
	const digits = String(index);
	const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
	return `tile/${level}/${groups.map((group, i) => i < groups.length - 1 ? `x${group}` : group).join("/")}${width === 256 ? "" : `.p/${width}`}`;
}
function widthIn(size, level, index) {
	return Math.max(0, Math.min(256, Math.floor(size / 256 ** level) - index * 256));
}
var TileReader = class {
	#read;
	#size;
	#cryptography;
	#tiles = /* @__PURE__ */ new Map();
	constructor(read, size, cryptography = webCrypto) {
		this.#read = read;
		this.#size = size;
		this.#cryptography = cryptography;
	}
	async entries(index) {
		const width = widthIn(this.#size, 0, index);
		const name = tilePath({
			level: "entries",
			index,
			width
		});
		const entries = splitRecords(await this.#read(name), name);
		if (entries.length === width) return entries;
		throw new ProofError(`${name} holds ${entries.length} entries, not ${width}`);
	}
	async entry(index) {
		const entry = (await this.entries(Math.floor(index / 256)))[index % 256];
		if (entry === void 0) throw new ProofError(`Entry ${index} is not in a tree of size ${this.#size}`);
		return entry;
	}
	async roots(path) {
		const roots = [];
		for (const { start, end } of path) roots.push(await this.#root(start, end));
		return roots;
	}
	async #root(start, end) {
		const count = end - start;
		const half = splitOf(count);
		if (half === 0 || half * 2 === count) return this.#subtree(Math.log2(count), start / count);
		return this.#node(await this.#root(start, start + half), await this.#root(start + half, end));
	}
	async #subtree(height, index) {
		const level = Math.floor(height / 8);
		const count = 2 ** (height % 8);
		const tile = Math.floor(index * count / 256);
		const bytes = await this.#tile(level, tile);
		return this.#reduce(bytes, index * count - tile * 256, count);
	}
	async #reduce(tile, at, count) {
		if (count === 1) return tile.subarray(at * 32, (at + 1) * 32);
		const half = count / 2;
		return this.#node(await this.#reduce(tile, at, half), await this.#reduce(tile, at + half, half));
	}
	async #node(left, right) {
		return this.#cryptography.sha256(joinBytes([
			Uint8Array.of(1),
			left,
			right
		]));
	}
	#tile(level, index) {
		const key = `${level}/${index}`;
		const known = this.#tiles.get(key) ?? this.#load(level, index);
		this.#tiles.set(key, known);
		return known;
	}
	async #load(level, index) {
		const width = widthIn(this.#size, level, index);
		const name = tilePath({
			level,
			index,
			width
		});
		const bytes = await this.#read(name);
		if (bytes.length === width * 32) return bytes;
		throw new ProofError(`${name} has ${bytes.length} bytes, not ${width * 32}`);
	}
};

const BINDINGS_FOLDER = "bindings";
async function readNeeded(files, file) {
	const bytes = await files.read(file);
	if (bytes === void 0) throw new ProofError(`${files.name} has no ${file}, which its checkpoint commits to`);
	return bytes;
}
async function readTextOf(files, file) {
	const bytes = await files.read(file);
	if (bytes === void 0) return void 0;
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(bytes);
	} catch {
		throw new ProofError(`${file} in ${files.name} is not UTF-8`);
	}
}
async function openNote(files, note, { policy, cryptography }) {
	const checkpoint = await verifyCheckpoint(note, policy, cryptography);
	return {
		note,
		...await readEntries(files, checkpoint),
		checkpoint
	};
}
async function readEntries(files, checkpoint) {
	const reader = new TileReader((file) => readNeeded(files, file), checkpoint.size);
	const leaves = [];
	for (let bundle = 0; leaves.length < checkpoint.size; bundle++) leaves.push(...await reader.entries(bundle));
	const entries = leaves.map(parseEntry);
	const other = entries.find(({ registry }) => registry !== entries[0]?.registry);
	if (other !== void 0) throw new ProofError(`${other.registryVersion} is of the registry ${other.registry}, not ${entries[0]?.registry}`);
	return {
		checkpoint,
		entries,
		leaves
	};
}

async function proveBound(provable, pairs) {
	const tree = openBindings(provable);
	const found = await Promise.all(pairs.map(({ expression, language }) => tree.find({
		expression: keyOf(expression),
		language
	})));
	return proofOf(provable, tree, [...new Set(found.flatMap(({ index, isThere }) => isThere ? [index] : []))].sort((a, b) => a - b));
}
function openBindings({ files, log, cryptography }) {
	const { count } = lastOf(log).bindings;
	const reader = new TileReader((file) => readNeeded(files, `${BINDINGS_FOLDER}/${file}`), count, cryptography);
	const known = /* @__PURE__ */ new Map();
	const bundleAt = (bundle) => {
		const entries = known.get(bundle) ?? reader.entries(bundle);
		known.set(bundle, entries);
		return entries;
	};
	return {
		count,
		find: (pair) => findLeaf(pair, {
			count,
			bundleAt,
			cryptography
		}),
		async where(isOne) {
			const found = [];
			for (let start = 0; start < count; start += 256) for (const [i, leaf] of (await reader.entries(start / 256)).entries()) {
				const binding = parseBinding(leaf);
				if (isOne(binding)) found.push({
					index: start + i,
					binding
				});
			}
			return found;
		},
		async recordsAt(indexes) {
			const records = [];
			for (const index of indexes) {
				const at = /* @__PURE__ */ new Uint8Array(8);
				new DataView(at.buffer).setBigUint64(0, BigInt(index));
				const path = await reader.roots(inclusionPath(index, count));
				const leaf = (await bundleAt(Math.floor(index / 256)))[index % 256] ?? at;
				records.push(leaf, joinBytes([at, ...path]));
			}
			return records;
		}
	};
}
async function findLeaf(pair, { count, bundleAt, cryptography }) {
	const key = await leafKey(pair, cryptography);
	let [low, high] = [0, Math.ceil(count / 256)];
	const guess = Math.floor(parseInt(key.slice(0, 8), 16) / 2 ** 32 * high);
	while (low < high) {
		const bundle = Math.min(Math.max(guess, low), high - 1);
		const leaves = await bundleAt(bundle);
		const keys = await Promise.all(leaves.map((leaf) => leafKey(parseBinding(leaf), cryptography)));
		const before = keys.filter((one) => one < key).length;
		if (keys[before] === key) return {
			index: bundle * 256 + before,
			isThere: true
		};
		if (before === 0) high = bundle;
		else if (before === keys.length) low = bundle + 1;
		else return {
			index: bundle * 256 + before,
			isThere: false
		};
	}
	return {
		index: Math.min(low * 256, count),
		isThere: false
	};
}
function lastOf({ entries }) {
	const last = entries.at(-1);
	if (last === void 0) throw new UsageError("The log has no release yet");
	return last;
}
async function proofOf(provable, tree, indexes) {
	const records = await tree.recordsAt(indexes);
	return formatProof(provable, {
		index: provable.log.entries.length - 1,
		records
	});
}
async function formatProof({ files, log, cryptography }, { index, records }) {
	const { note, checkpoint, leaves } = log;
	const leaf = leaves[index];
	if (leaf === void 0) throw new ProofError(`Entry ${index} is not in the log`);
	const path = await new TileReader((file) => readNeeded(files, file), checkpoint.size, cryptography).roots(inclusionPath(index, checkpoint.size));
	const extra = [leaf, ...records].flatMap((one) => [Uint8Array.of(one.length >> 8, one.length & 255), one]);
	return `${[
		"c2sp.org/tlog-proof@v1",
		`extra ${encodeBase64(joinBytes(extra))}`,
		`index ${index}`,
		...path.map(encodeBase64)
	].join("\n")}\n\n${note}`;
}

async function proveExpressions(address, policy, pairs) {
	const files = publishedAt(address);
	const note = await readTextOf(files, "checkpoint");
	if (note === void 0) throw new Error(`${address} has no checkpoint`);
	const cryptography = webCrypto;
	const log = await openNote(files, note, {
		policy: await parsePolicy(policy),
		cryptography
	});
	if (log.entries.length === 0) throw new ProofError("The log has no release yet");
	return proveBound({
		files,
		log,
		cryptography
	}, pairs);
}
function publishedAt(address) {
	return {
		name: address,
		async read(file) {
			const response = await fetch(`${address}/${file}`, { headers: { "cache-control": "no-cache" } });
			if (response.status === 404 || response.status === 410) return void 0;
			if (!response.ok) throw new Error(`${address}/${file} answers ${response.status}`);
			return new Uint8Array(await response.arrayBuffer());
		}
	};
}

export { proveExpressions, verifyProof };
