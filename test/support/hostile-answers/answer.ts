/** What hostile answers are made of: a good one, its HTTP, and what decides about it. */
import type { Socket } from "node:net";
import { classifierRules } from "../../../generator/integration/classifier.ts";
import type { Classification } from "../../../generator/contract/integration.ts";

export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

export interface Wire {
  readonly socket: Socket;
  /** The port of another server, which must never be asked. */
  readonly elsewhere: number;
}

export interface HostileAnswer {
  readonly name: string;
  readonly expression: string;
  readonly expected: Classification;
  /** The number of the rule that decides. */
  readonly rule: number;
  /** Absent where the answer is no whole one, or no HTTP. */
  readonly plain?: PlainAnswer;
  /** Sends it, once the request is there. */
  readonly send: (wire: Wire) => void;
  /** Comes before the request is there. */
  readonly atOnce?: true;
  /** Takes the time limit of the call, or a good part of it. */
  readonly slow?: true;
  /** Variants of another answer, judged only in this process, which costs nothing. */
  readonly more?: true;
}

/** What is sent, where the answer does not need another one. */
export const EXPRESSION = "refund";
export const CODE = "C-1";
const REGISTRY_VERSION = "2026.11.1";

type Options = Partial<Pick<HostileAnswer, "expression" | "atOnce" | "slow" | "more">> & {
  readonly code?: string;
  readonly registryVersion?: string;
};

function expectedOf(rule: number, { code = CODE, registryVersion = REGISTRY_VERSION }: Options): Classification {
  const outcome = classifierRules.find((one) => one.rule === rule)?.outcome;
  if (outcome === undefined) throw new Error(`There is no rule ${rule}`);
  if (outcome === "unknown" || outcome === "ambiguous") return { outcome, reason: null, candidates: [] };
  return outcome === "resolved-valid" ? { outcome, code, registryVersion } : { outcome };
}

/** An answer that abstains, whose reason and candidates a client hands on. */
export function abstaining(
  name: string,
  evidence: { readonly reason: string | null; readonly candidates?: readonly (typeof candidate)[] },
): HostileAnswer {
  const rule = evidence.reason === "ambiguous_expression" ? 7 : 8;
  const answer = plain(name, rule, { body: envelope({ ...abstained, ...evidence }) });
  const candidates = (evidence.candidates ?? []).map(({ code, name: named }) => ({ code, name: named }));
  return {
    ...answer,
    expected: { outcome: rule === 7 ? "ambiguous" : "unknown", reason: evidence.reason, candidates },
  };
}

/** An answer as it goes over a socket. */
export function wired(name: string, rule: number, send: HostileAnswer["send"]): HostileAnswer {
  return { name, expression: EXPRESSION, expected: expectedOf(rule, {}), rule, send };
}

/** An answer that is whole, and clean HTTP. */
export function plain(
  name: string,
  rule: number,
  { status = 200, contentType = "application/json", body }: Partial<Omit<PlainAnswer, "body">> & { body: Text },
): HostileAnswer {
  const bytes = bytesOf(body);
  const fields = { ...(contentType === null ? {} : { "Content-Type": contentType }), "Content-Length": bytes.length };
  const send = ({ socket }: Wire): void => void socket.end(message(head({ status, fields }), bytes));
  return { ...wired(name, rule, send), plain: { status, contentType, body: bytes } };
}

/** The same answer with something special about it. */
export function marked({ code, registryVersion, ...more }: Options, answer: HostileAnswer): HostileAnswer {
  const assigned = { code: code ?? CODE, registryVersion: registryVersion ?? REGISTRY_VERSION };
  return { ...answer, ...more, expected: expectedOf(answer.rule, assigned) };
}

type Text = string | Uint8Array;

function bytesOf(text: Text): Uint8Array {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}

export function message(...parts: readonly Text[]): Buffer {
  return Buffer.concat(parts.map(bytesOf));
}

export type Fields = Readonly<Record<string, string | number>>;

interface Head {
  readonly version?: string;
  readonly status?: number;
  readonly fields?: Fields;
}

export function head({ version = "1.1", status = 200, fields = {} }: Head = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/${version} ${status} X\r\n${lines.join("")}\r\n`;
}

export function chunk(text: Text, extension = ""): Buffer {
  return message(bytesOf(text).length.toString(16), extension, "\r\n", text, "\r\n");
}

export const LAST_CHUNK = "0\r\n\r\n";
export const JSON_TYPE = { "Content-Type": "application/json" };
export const CHUNKED = { ...JSON_TYPE, "Transfer-Encoding": "chunked" };

export const concept = {
  code: CODE,
  name: "Refund",
  definition: "Money given back.",
  domain: "payment",
  registryVersion: REGISTRY_VERSION,
};
export const profile = { name: "p", modelName: "m", modelVersion: "1", dimensions: 3 };
export const candidate = { code: "C-2", name: "Other", score: 0.5 };

/** The data of a good answer, with whatever is said otherwise. */
export function dataWith(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    input: { expression: EXPRESSION },
    status: "resolved",
    reason: null,
    embeddingProfile: null,
    concept,
    candidates: [],
    confidence: 1,
    margin: null,
    ...more,
  };
}

export const abstained = { status: "abstained", reason: "no_reviewed_exact_match", concept: null, confidence: null };

export function envelope(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ data: dataWith(more), error: null });
}

export const GOOD = envelope();

/** Stands for a value that JSON.stringify cannot write. */
export const MARK = "@@";

/** A good answer with this text in the place of a value. */
export function withText(text: Text, more: Readonly<Record<string, unknown>> = { confidence: MARK }): Buffer {
  const [before = "", after = ""] = envelope(more).split(`"${MARK}"`);
  return message(before, text, after);
}

/** A good answer with this inside of a string as its definition, where anything may stand. */
export function withString(inside: Text): Buffer {
  return withText(message('"', inside, '"'), { concept: { ...concept, definition: MARK } });
}

/** Whole in length, by white space behind the value. */
export function padded(bytes: number): string {
  return GOOD.padEnd(bytes, " ");
}

export const octets = (...all: readonly number[]): Uint8Array => Uint8Array.from(all);

/** Sends a good body with other words around it. */
export function sendGood(socket: Socket, { fields = {}, ...line }: Head = {}): void {
  socket.end(message(head({ ...line, fields: { ...JSON_TYPE, "Content-Length": GOOD.length, ...fields } }), GOOD));
}

/**
 * The line that `resolve` prints for an outcome, by the README of a kit: one line of ASCII JSON.
 */
export function lineOf(expected: Classification): string {
  return `${ascii(JSON.stringify(expected))}\n`;
}

/** Every UTF-16 unit that is no visible ASCII, escaped as in JSON. */
export function ascii(text: string): string {
  return text.replaceAll(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0))}`);
}

export function hex(number: number): string {
  return number.toString(16).padStart(4, "0");
}
