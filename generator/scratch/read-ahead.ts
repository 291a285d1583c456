/**
 * A byte source for readers that go through several sections at once, each from start to end: a
 * read also fetches the bytes that follow. Reads elsewhere are passed through.
 */
import type { ByteSource, Span } from "../../runtime/registry/byte-source.ts";

const WINDOW_BYTES = 1 << 18;
/** Parts of a section may have a separator between them. */
const SEPARATOR_BYTES = 1;

interface Window {
  readonly section: Span;
  start: number;
  bytes: Uint8Array;
  /** The end of the last read. */
  at: number;
}

export function readAhead(source: ByteSource, sections: readonly Span[]): ByteSource {
  const windows = sections.map((section): Window => ({
    section,
    start: 0,
    bytes: new Uint8Array(),
    at: section.offset,
  }));
  return {
    length: source.length,
    read(offset, length, into) {
      const window = windows.find(
        ({ section }) => offset >= section.offset && offset < section.offset + section.length,
      );
      const end = window === undefined ? 0 : window.section.offset + window.section.length;
      if (window === undefined || offset + length > end) return source.read(offset, length, into);
      const { start, bytes, at } = window;
      window.at = offset + length;
      if (offset >= start && offset + length <= start + bytes.length)
        return bytes.subarray(offset - start, offset - start + length);
      if (offset < at || offset > at + SEPARATOR_BYTES) return source.read(offset, length, into);
      window.start = offset;
      window.bytes = source.read(offset, Math.min(end - offset, Math.max(length, WINDOW_BYTES)));
      return window.bytes.subarray(0, length);
    },
  };
}
