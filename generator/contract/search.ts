/**
 * `/search.json`, which pages search in addition to names of concepts. It is not a document of the
 * API, so its schema is not published.
 */
import { Text } from "../../runtime/contract/document.ts";
import { closed } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";

export const SearchDocument = closed({
  concepts: Type.Integer({ minimum: 0 }),
  /** Whether the names are files; a larger registry is filtered by the service. */
  named: Type.Boolean(),
  /** The languages that there are files of names in. */
  languages: Type.Array(Text),
  /** `in` is the title of the page that it is on. */
  pages: Type.Array(
    closed({ title: Text, in: Text, url: Type.String({ pattern: "^/(?![/\\\\])" }), text: Type.String() }),
  ),
});
export type SearchDocument = Type.Static<typeof SearchDocument>;
