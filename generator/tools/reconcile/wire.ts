/**
 * Reads and writes for the endpoints: parameters, bodies, JSON, and JSONP, which only version 0.2
 * has. Nothing here depends on what is asked.
 */
import { type Problem, problem } from "../../../runtime/contract/problem.ts";
import { isFormContentType, isJsonContentType } from "../../../runtime/http/media-type.ts";
import { queryOf, readParameter } from "../../../runtime/http/parameter.ts";
import { COMMON_FIELDS } from "../../../runtime/http/representation.ts";
import { answerText } from "../../../runtime/routes/answer.ts";
import type { Answer, Request } from "../../../runtime/routes/route.ts";
import { parseJson } from "../../../runtime/text/json.ts";

/** A value that was read, or the problem. `left` says that the body was not read to its end. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem; readonly left?: true };

/** The handlers of an endpoint, by the path below it. */
export type Entries = Readonly<Record<string, Entry>>;
export interface Entry {
  readonly get?: Handler;
  readonly post?: Handler;
}
/** Gives a value to send as JSON, an answer of another kind, or a problem. */
export type Handler = (request: Request) => Outcome | Promise<Outcome>;
export type Outcome = Read<object> | Answer;

/** All values, or the first that was refused. */
export function all<const T extends readonly unknown[]>(...reads: { readonly [I in keyof T]: Read<T[I]> }): Read<T> {
  const values: unknown[] = [];
  for (const read of reads as readonly Read<unknown>[]) {
    if (!read.ok) return read;
    values.push(read.value);
  }
  return { ok: true, value: values as unknown as T };
}

/** The parameter of a query or form; undefined if it is missing. */
export function parameterOf(query: string, name: string): Read<string | undefined> {
  const value = readParameter(query, name);
  if (typeof value !== "object") return { ok: true, value };
  const reasons = { repeated: "may be given only once", not_utf8: "is not valid percent-encoded UTF-8" };
  return refused("invalid_query", `The parameter ${name} ${reasons[value.refusal]}`);
}

/** A whole number in the query. */
export function numberOf(
  query: string,
  name: string,
  { least, fallback }: { least: number; fallback: number },
): Read<number> {
  const read = parameterOf(query, name);
  if (!read.ok) return read;
  if (read.value === undefined || read.value === "") return { ok: true, value: fallback };
  const value = Number(read.value);
  if (/^\d{1,9}$/.test(read.value) && value >= least) return { ok: true, value };
  return refused("invalid_query", `The parameter ${name} must be a whole number, at least ${least}`);
}

/** JSON in the text of a parameter. */
export function jsonOf(name: string, text: string): Read<unknown> {
  return strictJson(encoder.encode(text), `The parameter ${name}`);
}

/**
 * The body of a form, as the text of a query. Its bytes are UTF-8 whether percent-encoded or not
 * (URL Standard §5.1).
 */
export async function readForm(request: Request): Promise<Read<string>> {
  if (!isFormContentType(request.field("content-type")))
    return refused("unsupported_media_type", "Send a form in UTF-8: Content-Type: application/x-www-form-urlencoded");
  const body = await readBody(request);
  if (!body.ok) return body;
  try {
    return { ok: true, value: decoder.decode(body.value) };
  } catch {
    return refused("invalid_request", "The form is not valid UTF-8");
  }
}

export async function readJson(request: Request): Promise<Read<unknown>> {
  if (!isJsonContentType(request.field("content-type"))) return refused("unsupported_media_type");
  const body = await readBody(request);
  return body.ok ? strictJson(body.value, "The request body") : body;
}

/** A full batch of long expressions, percent-encoded. */
export const BODY_MAX_BYTES = 2 * 1024 * 1024;

async function readBody(request: Request): Promise<Read<Uint8Array>> {
  const body = await request.readBody(BODY_MAX_BYTES);
  return "status" in body ? { ok: false, problem: body, left: true } : { ok: true, value: body };
}

function strictJson(bytes: Uint8Array, what: string): Read<unknown> {
  const json = parseJson(bytes);
  if (json.ok) return json;
  return json.refusal === "not_json"
    ? refused("invalid_json", `${what} is not valid JSON in UTF-8`)
    : refused("invalid_request", `${what} has a duplicate property name`);
}

export function refused(...why: Parameters<typeof problem>): Read<never> {
  return { ok: false, problem: problem(...why) };
}

/** Matches only what a browser reads as the name of a function. */
const CALLBACK = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
const CALLBACK_MAX = 100;

/** The callback that a query of version 0.2 names. */
export function callbackOf(request: Request): Read<string | undefined> {
  const read = parameterOf(queryOf(request.target), "callback");
  if (!read.ok || read.value === undefined || (read.value.length <= CALLBACK_MAX && CALLBACK.test(read.value)))
    return read;
  return refused("invalid_query", "The parameter callback is not the name of a function");
}

/** JSON, or a script that calls the callback with it. */
export function answerJson(value: object, callback?: string): Answer {
  const json = JSON.stringify(value);
  if (callback === undefined) return answerText(`${json}\n`);
  const fields = [...COMMON_FIELDS, "Cache-Control", "no-store", "Content-Type", "text/javascript; charset=utf-8"];
  // Older engines end a string at a line separator; the comment keeps the name from being the first
  // bytes of the answer.
  const script = json.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`);
  return { status: 200, fields, body: `/**/${callback}(${script});\n` };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
