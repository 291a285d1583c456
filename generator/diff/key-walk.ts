/**
 * Every expression that an index answers to, from its key pages themselves (layout: runtime/index-format.ts): what an
 * index resolves is what stands there, whatever its concepts say of themselves.
 */
import { viewOf } from "../../runtime/text/bytes.ts";
import { CODE_KEY_PREFIX } from "../../runtime/registry/index-format.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { damaged } from "./snapshot.ts";

/** An index, and what people call it. */
export interface NamedIndex {
  readonly index: RegistryIndex;
  readonly side: { readonly given: string };
}

/** The comparison form of each published expression, once, in no order that means anything. */
export function* publishedKeys({ index, side }: NamedIndex): Generator<string, void> {
  const { source, sections } = index;
  const directory = viewOf(index.read(sections.directory));
  for (let at = 0; at + 8 <= directory.byteLength; at += 4) {
    const [start, end] = [directory.getUint32(at, true) * 4, directory.getUint32(at + 4, true) * 4];
    const page = source.read(sections.pages.offset + start, end - start);
    try {
      yield* keysOf(page);
    } catch (error) {
      throw error instanceof RangeError ? damaged(side.given) : error;
    }
  }
}

function keysOf(page: Uint8Array): string[] {
  const view = viewOf(page);
  const count = view.getUint32(0, true);
  const keys: string[] = [];
  for (let i = 0; i < count; i++) {
    const entry = view.getUint32(4 + (count + i) * 4, true);
    const key = page.subarray(entry + 2, entry + 2 + view.getUint16(entry, true));
    if (key[0] !== CODE_KEY_PREFIX) keys.push(decoder.decode(key));
  }
  return keys;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
