/** What XML files of any vocabulary have in common: UTF-8 alone, and entities of the file itself, counted; nothing is fetched. */
import { type ParseLimits, readEntities } from "./rdf-bounds.ts";
import type { Piece } from "./text-pieces.ts";

/** Without what every object inherits, which would be taken for entities too. */
export function xmlEntities(): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" }); // prettier-ignore
}

/** Gives a parser the entities of a DOCTYPE; each use counts as text that was read. */
export function addEntities(entities: Record<string, string>, doctype: string, limits: ParseLimits): void {
  for (const [name, value] of readEntities(doctype)) {
    Object.defineProperty(entities, name, {
      get() {
        limits.feed(value.length);
        return value;
      },
    });
  }
}

/** Throws where the beginning of a file says that it is in another encoding. */
export function checkEncoding({ text, line }: Piece): void {
  const encoding = line === 1 ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] : undefined;
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(encoding))
    throw new Error(`the file says that its encoding is ${encoding}, and only UTF-8 is read`);
}
