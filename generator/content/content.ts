/** The checked values of authored content, as in content/. content/README.md explains it. */
import * as Type from "../../runtime/contract/type.ts";
import { AUDIENCES } from "../contract/reference.ts";
import { REFERENCE_AREAS } from "../../runtime/contract/policy.ts";
import { closed } from "../../runtime/contract/schema.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import type { Interface } from "./interface.ts";
import type { SiteSource } from "./site.ts";

const text = Type.String({ minLength: 1 });
const id = Type.String({ pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" });

/** Front matter of `answers/*.md`. The id is stable: links and citations use it. */
export const AnswerRecord = closed({
  id,
  question: text,
  audience: Type.Enum([...AUDIENCES]),
  evidence: Type.Array(closed({ title: text, path: Type.String({ pattern: "^/(?!/)[\\x21-\\x23\\x25-\\x7e]*$" }) }), {
    minItems: 1,
  }),
});

/** Front matter of `reference/*.md`; a section without an area is on the page of the rules. */
export const SectionRecord = closed({ id, title: text, area: Type.Optional(Type.Enum([...REFERENCE_AREAS])) });

/** Front matter of `guides/mcp-guide.md`. */
export const GuideRecord = closed({ title: text });

/** Front matter of an owner's own page. */
export const PageRecord = closed({ title: text, description: Type.Optional(text), nav: Type.Optional(text) });

export interface WithMarkdown {
  /** The file it was written in, below the content folder. */
  readonly file: string;
  /** The line on which the Markdown or the template begins. */
  readonly begins?: number;
  readonly markdown: string;
  /** Only for a translation. */
  readonly language?: string;
}

export type AnswerSource = Type.Static<typeof AnswerRecord> & WithMarkdown;
export type SectionSource = Type.Static<typeof SectionRecord> & WithMarkdown;
export type GuideSource = Type.Static<typeof GuideRecord> & WithMarkdown;

/** An owner's own page: Markdown, or a template. */
export type PageSource = Type.Static<typeof PageRecord> & WithMarkdown & { readonly name: string };

/** An asset's bytes, and the name that pages link: it contains the digest of the bytes. */
export interface Asset {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * `site.css` and its bytes to `site.0123456789abcdef.css`: different content gets a different name.
 */
export function makeAsset(file: string, bytes: Uint8Array): Asset {
  return { name: file.replace(/(?=\.[a-z]+$)/, `.${sha256(bytes).slice(0, 16)}`), bytes };
}

/** A template or a layout by its path in the folder, such as `pages/index.njk`. */
export interface Template {
  readonly file: string;
  readonly text: string;
}

/** The prose that can be translated. */
export interface Prosaic {
  /** In the order of their file names. */
  readonly answers: readonly AnswerSource[];
  readonly guide: GuideSource;
  /** By name. */
  readonly pages: readonly PageSource[];
}

/** The interface in a language. */
export interface PageLanguage extends Interface {
  /** The prose as pages in this language show it; without it, the content's prose is shown. */
  readonly prose?: Prosaic;
}

export interface Content extends Prosaic {
  readonly site: SiteSource;
  readonly sections: readonly SectionSource[];
  /** English first. */
  readonly languages: readonly PageLanguage[];
  readonly templates: readonly Template[];
  readonly assets: Readonly<Record<AssetKind, Asset> & { readonly logo?: Asset }>;
}

/** The content with its prose changed in every language. */
export function withProse(content: Content, change: <P extends Prosaic>(prose: P) => P): Content {
  const languages = content.languages.map((one) =>
    one.prose === undefined ? one : { ...one, prose: change(one.prose) },
  );
  return { ...change(content), languages };
}

export const ASSET_FILES = {
  css: "site.css",
  js: "site.js",
  studio: "studio.js",
  kit: "kit.js",
  find: "find.js",
  contents: "contents.js",
  proof: "proof.js",
  tree: "tree.js",
  icon: "icon.svg",
} as const;
export type AssetKind = keyof typeof ASSET_FILES;
