/** 300 languages and 60 domains with gaps everywhere, and more ambiguity than a list shows. */
import { createRequire } from "node:module";
import type { ExpressionRecord } from "../../generator/registry/record.ts";
import { concept, expression, type RegistryFiles } from "./registry.ts";

interface Subtag {
  readonly Type: string;
  readonly Subtag?: string;
  readonly Scope?: string;
  readonly Deprecated?: string;
}

const subtags = createRequire(import.meta.url)("language-subtag-registry/data/json/registry.json") as Subtag[];

const LANGUAGES = subtags
  .flatMap(({ Type, Subtag: subtag = "", Scope, Deprecated }) =>
    Type === "language" && Scope === undefined && Deprecated === undefined && subtag !== "en" ? [subtag] : [],
  )
  .slice(0, 299);

export const DOMAINS = Array.from(
  { length: 60 },
  (_, i) => `${["A domain of some length", "مجال", "領域", "d"][i % 4] ?? ""} ${i}`,
);

const CODE = "ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Each has one language in eight, and not those whose place a small number divides. */
const concepts = Array.from({ length: 300 }, (_, n) => {
  const code = `W-${CODE[Math.floor(n / 24)] ?? ""}${CODE[n % 24] ?? ""}`;
  const own: ExpressionRecord[] = LANGUAGES.filter((_language, i) => i % ((n % 17) + 2) !== 0 && (n + i) % 8 === 0).map(
    (language) => expression(language, `${code} ${language}`),
  );
  // Each with its neighbour, in one language; and some over two.
  const shared = [
    expression(n < 200 ? "en" : "aa", `shared ${Math.floor(n / 2)}`),
    expression(n % 2 === 0 ? "fr" : "de", `pair ${Math.floor(n / 2)}`),
  ];
  return concept(code, [...own, ...shared], { domain: DOMAINS[n % 60] ?? "" });
});

export const wide: RegistryFiles = {
  concepts,
  registry: { name: "Wide", languages: [...new Set(["en", "fr", "de", ...LANGUAGES])] },
};
