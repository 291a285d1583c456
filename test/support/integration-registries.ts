/** Registries of every kind, to draw fixtures from. */
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { starterRegistry } from "./documents.ts";
import { empty, nasty } from "./nasty.ts";
import { checkedRegistry, concept, expression } from "./registry.ts";

export const TAG_35 = "en-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd";

/** Texts with a meaning to programs that pass them on, in the languages that recipes try first. */
export const HOSTILE: Readonly<Record<string, string>> = {
  hi: String.raw`"quoted" \ \"twice\" \u0041 \n`,
  fr: "</script><script>alert(1)</script>",
  sv: "a|b||c",
  vi: "`tick` ```fence```",
  nl: "$(id) ${HOME} %PATH%",
  ru: "<!-- x --> ]]> &amp; &#0;",
  de: "@ORIGIN@ @RECIPE_ID@ @RESOLVE_URL@",
  tr: "{{ 7*7 }} {% raw %}",
  zh: "' OR '1'='1' --",
  uk: "--live",
  ar: "مرحبا | بالعالم",
  pl: "😀 𠮷 👩‍💻",
  pt: "../../etc/passwd",
  id: "null",
  ja: "𠮷野家",
  ko: '{"code":"X"}',
  "zh-Hant": "=cmd|' /C calc'!A0",
  it: "\\",
  he: "שלום <b>",
  es: "data:text/html,<b>",
  "zh-Hans": "`",
};

/** One that several of them have. */
export const SHARED = `"|\`</script>'\\`;

export const note = (code: string, text: string, more = {}) => concept(code, [expression("en", text)], more);

export const REGISTRIES = {
  starter: starterRegistry,
  nasty: () => checkedRegistry(nasty),
  small: () =>
    checkedRegistry({
      concepts: [
        concept("S-NOTE", [expression("en", "note"), expression("de", "Notiz"), expression("en", "memo")]),
        concept("S-BANKNOTE", [expression("en", "note"), expression("de", "Geldschein")]),
      ],
    }),
  empty: () => checkedRegistry(empty),
  "only near": () =>
    checkedRegistry({ concepts: [concept("NEAR", [expression("en", "nearly", { equivalenceStrength: 0.5 })])] }),
  "one language": () =>
    checkedRegistry({
      concepts: [
        concept("D-A", [expression("de", "Bank"), expression("de", "Geldhaus")]),
        concept("D-B", [expression("de", "Bank"), expression("de", "Sitzbank")]),
      ],
      registry: { languages: ["de"] },
    }),
  "no ambiguity": () =>
    checkedRegistry({ concepts: [concept("U-A", [expression("de", "eins")]), concept("U-B", [expression("fr", "deux")])] }), // prettier-ignore
  "no unique": () => checkedRegistry({ concepts: [note("Q-A", "the same"), note("Q-B", "the same")] }),
  "a long definition": () =>
    checkedRegistry({ concepts: [note("L-LONG", "hello", { definition: "d".repeat(300_000) })] }),
  hostile: () =>
    checkedRegistry({
      concepts: Object.entries(HOSTILE).map(([language, text], i) =>
        concept(
          `H-${language.toUpperCase()}`,
          // Three concepts share one: more than ten would be too many to show.
          i < 3 ? [expression(language, text), expression(language, SHARED)] : [expression(language, text)],
          {
            name: `"Name" | \`${language}\` </script>`,
            definition: 'Two lines,\nwith "quotes", \\ and </script>.',
          },
        ),
      ),
      registry: { languages: Object.keys(HOSTILE) },
    }),
  "tags of 35 characters": () =>
    checkedRegistry({ concepts: [concept("T-TAG", [expression("en", "tagged", { locale: TAG_35 })])] }),
  "a draft": () =>
    checkedRegistry({ concepts: [concept("DRAFT", [expression("en", "drafted", { reviewStatus: "draft" })])] }),
} satisfies Record<string, () => CheckedRegistry>;
export type Name = keyof typeof REGISTRIES;
export const NAMES = Object.keys(REGISTRIES) as Name[];
/** Those that are built whole; of the others only the drawn fixtures differ. */
export const WHOLE = ["starter", "nasty", "small", "empty", "hostile"] as const;
export type Whole = (typeof WHOLE)[number];
export const isWhole = (name: Name): name is Whole => (WHOLE as readonly string[]).includes(name);
