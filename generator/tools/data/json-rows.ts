/**
 * Reads a row from each line of JSON (NDJSON). The parts of a row are members of the object or what
 * JSON pointers (RFC 6901) lead to; null and what is missing count as empty, and anything else that
 * is not a text is refused: a number is never taken for its digits.
 */
import { DelimitedError, ROW_MAX_BYTES, type Wrong } from "../../text/delimited.ts";
import { quote } from "../../text/printable.ts";
import { strictText } from "../../text/table.ts";
import { type Columns, type DataRow, PARTS, type RowReader } from "./records.ts";
import type { Given } from "./scheme.ts";

export class JsonRows implements RowReader {
  readonly head = undefined;
  readonly delimiter = undefined;
  readonly #pointers: readonly (readonly [part: keyof Given, steps: readonly string[]])[];
  #line = 1;

  constructor(columns: Columns) {
    this.#pointers = PARTS.flatMap((part) => {
      const { name } = columns[part];
      return name === undefined ? [] : [[part, stepsOf(name)] as const];
    });
  }

  async *rows(data: AsyncIterable<Uint8Array>): AsyncGenerator<readonly DataRow[], void> {
    let rest: string[] = [];
    let length = 0;
    for await (const piece of strictText(data)) {
      const [first = "", ...others] = piece.split("\n");
      rest.push(first);
      length += first.length;
      if (length > ROW_MAX_BYTES) throw new DelimitedError(this.#line, TOO_LONG);
      const last = others.pop();
      if (last === undefined) continue;
      yield [rest.join(""), ...others].flatMap((line) => this.#rowAt(line));
      rest = [last];
      length = last.length;
    }
  }

  #rowAt(line: string): DataRow[] {
    const at = this.#line++;
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    return text.trim() === "" ? [] : [this.#row(text, at)];
  }

  #row(text: string, line: number): DataRow {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new DelimitedError(line, ["the row is not JSON", ONE_OBJECT]);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new DelimitedError(line, ["the row is not a JSON object", ONE_OBJECT]);
    const given = { code: "", expression: "", language: "", name: "", registryVersion: "" };
    for (const [part, steps] of this.#pointers) given[part] = textAt(value, steps, line);
    return { ...given, line, text, cells: [] };
  }
}

const ONE_OBJECT = "Write one JSON object on each line";
const TOO_LONG: Wrong = [`the row is longer than ${ROW_MAX_BYTES >> 20} MiB`, ONE_OBJECT];

function stepsOf(name: string): string[] {
  if (!name.startsWith("/")) return [name];
  return name
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function textAt(whole: object, steps: readonly string[], line: number): string {
  let value: unknown = whole;
  for (const step of steps) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return "";
    value = (value as Record<string, unknown>)[step];
  }
  if (value === null) return "";
  if (typeof value === "string") return value;
  throw new DelimitedError(line, [
    `${quote(steps.join("/"))} is not a text`,
    "Put quotes around it, or name another column",
  ]);
}
