/** Authored content as its checked values: what content/ holds besides templates and assets. content/README.md explains it. */
import * as Type from "../../runtime/contract/type.ts";
import { AUDIENCES } from "../contract/reference.ts";
import { closed } from "../../runtime/contract/schema.ts";
import { sha256 } from "../../runtime/http/digest.ts";

const text = Type.String({ minLength: 1 });
const id = Type.String({ pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" });

/** `site.yaml`. The expiry of security.txt is an input, because a build has no clock (RFC 9116 §2.5.5). */
export const SiteRecord = closed({
  name: text,
  security: closed({
    /** A path of this service, or an https:, mailto: or tel: URI (RFC 9116 §2.5.3). */
    contact: Type.String({ pattern: "^(?:/(?!/)|https:|mailto:|tel:)[\\x21-\\x7e]*$" }),
    expires: Type.String({
      pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z$",
    }),
  }),
});
export type SiteSource = Type.Static<typeof SiteRecord>;

/** Front matter of `answers/*.md`. The id is stable: links and citations use it. */
export const AnswerRecord = closed({
  id,
  question: text,
  audience: Type.Enum([...AUDIENCES]),
  evidence: Type.Array(closed({ title: text, path: Type.String({ pattern: "^/(?!/)[\\x21-\\x7e]*$" }) }), {
    minItems: 1,
  }),
});

/** Front matter of `reference/*.md`. */
export const SectionRecord = closed({ id, title: text });

/** Front matter of `guides/mcp-guide.md`. */
export const GuideRecord = closed({ title: text });

interface WithMarkdown {
  readonly markdown: string;
}

export type AnswerSource = Type.Static<typeof AnswerRecord> & WithMarkdown;
export type SectionSource = Type.Static<typeof SectionRecord> & WithMarkdown;
export type GuideSource = Type.Static<typeof GuideRecord> & WithMarkdown;

/** An asset's bytes and the name its page links: with the digest of the bytes in it. */
export interface Asset {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** `site.css` and its bytes to `site.0123456789abcdef.css`: another content is another name. */
export function makeAsset(file: string, bytes: Uint8Array): Asset {
  return { name: file.replace(/(?=\.[a-z]+$)/, `.${sha256(bytes).slice(0, 16)}`), bytes };
}

/** A template or a layout by its path in the folder, such as `pages/index.njk`. */
export interface Template {
  readonly file: string;
  readonly text: string;
}

export interface Content {
  readonly site: SiteSource;
  /** In the order of their file names. */
  readonly answers: readonly AnswerSource[];
  readonly sections: readonly SectionSource[];
  readonly guide: GuideSource;
  readonly templates: readonly Template[];
  readonly assets: Readonly<Record<AssetKind, Asset>>;
}

export const ASSET_FILES = {
  css: "site.css",
  js: "site.js",
  studio: "studio.js",
  kit: "kit.js",
  icon: "icon.svg",
} as const;
export type AssetKind = keyof typeof ASSET_FILES;
