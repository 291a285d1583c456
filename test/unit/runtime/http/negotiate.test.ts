/**
 * Accept by RFC 9110 §12.5.1 and O-12, and against another implementation where both must agree.
 */
// @ts-expect-error The package brings no types.
import Negotiator from "negotiator";
import { describe, expect, it } from "vitest";
import { negotiate } from "../../../../runtime/http/negotiate.ts";
import { policies } from "../../../../runtime/contract/policy.ts";
import { random } from "../../../support/random.ts";

const json = policies.json.mediaType;
const html = policies.html.mediaType;
const markdown = policies.markdown.mediaType;
const linkset = policies.linkset.mediaType;
/** In the server's order. */
const three = [json, html, markdown];

type Row = readonly [field: string | undefined, chosen: string | undefined];

function expectChoices(rows: readonly Row[], available: readonly string[] = three): void {
  const choose = (field: string | undefined): string | undefined => {
    const chosen = negotiate(field, available);
    return chosen === undefined ? undefined : available[chosen];
  };
  expect(rows.map(([field]) => [field, choose(field)])).toEqual(rows);
}

describe("Accept", () => {
  it("O-12 G39: permits everything when it is missing, empty or */*, and then the server's first type is sent", () => {
    for (const field of [undefined, "", " ", "\t", ",", " , ,, ", "*/*", " */* ", "*/*;q=0.1", "*/*, */*"]) {
      for (const available of [three, [markdown, html], [linkset]]) expectChoices([[field, available[0]]], available);
    }
  });

  it("G39: permits exactly the types that a range names, in any case, with white space and empty elements", () => {
    expectChoices([
      ["application/json", json],
      ["text/html", html],
      ["text/markdown", markdown],
      ["TEXT/Html", html],
      ["text/*", html],
      ["application/*", json],
      [" text/markdown\t", markdown],
      [", ,text/markdown,,", markdown],
      ["image/png, text/markdown , image/gif", markdown],
      ["image/png", undefined],
      ["image/*", undefined],
      ["application/xhtml+xml", undefined],
      ["text/htm", undefined],
      ["text/html5", undefined],
      ["application/problem+json", undefined],
    ]);
  });

  it("O-12: sends the first of json, html, md on a tie, whatever the order of the field", () => {
    expectChoices([
      ["text/html, application/json", json],
      ["text/markdown, text/html", html],
      ["text/markdown, text/html, application/json", json],
      ["text/markdown;q=0.5, text/html;q=0.5", html],
      ["text/markdown;q=0.5, text/html;q=0.50, application/json;q=0.500", json],
      ["text/html, */*", json],
      ["text/markdown, text/*;q=0.9, application/json;q=1.0", json],
    ]);
  });

  it("G39: sends the type of the highest quality", () => {
    expectChoices([
      ["application/json;q=0.1, text/html;q=0.2, text/markdown;q=0.3", markdown],
      ["application/json;q=0.1, text/html;q=0.25, text/markdown;q=0.249", html],
      ["application/json;q=0.999, text/html", html],
      ["application/json;q=0.001, text/html;q=0", json],
      ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", html],
      ["text/markdown ; q=0.7 , text/html\t;\tq=0.5", markdown],
      ["text/html;Q=0.1, text/markdown;Q=0.2", markdown],
      ["text/html;;q=0.1;, text/markdown; ;q=0.2", markdown],
      ["text/html;q=1., application/json;q=0.9", html],
    ]);
  });

  it("G39: excludes what has q=0, and is refused when nothing else is permitted", () => {
    expectChoices([
      ["application/json;q=0, */*", html],
      ["application/json;q=0.0, text/html;q=0.000, */*;q=0.1", markdown],
      ["application/*;q=0, */*", html],
      ["text/*;q=0, */*", json],
      ["text/html;q=0., text/*", markdown],
      ["*/*;q=0, text/markdown;q=0.1", markdown],
      ["*/*;q=0", undefined],
      ["application/json;q=0, */*;q=0", undefined],
      ["application/json;q=0", undefined],
      ["image/png;q=0", undefined],
    ]);
  });

  it("G39: takes the quality of the most specific range, wherever it stands", () => {
    expectChoices([
      ["*/*;q=0.9, text/*;q=0.3, text/html;q=0.5", json],
      ["text/html;q=0.3, text/*;q=0.7, */*;q=0.5", markdown],
      ["*/*;q=0.5, text/*;q=0.7, text/html;q=0.3", markdown],
      ["text/*;q=0.9, text/html;q=0.1, application/json;q=0.5", markdown],
      ["*/*, application/json;q=0.4, text/html;q=0.6, text/markdown;q=0.5", html],
      ["text/html;q=0.1, text/html;q=0.9, application/json;q=0.5", html],
      ["text/html;q=0.9, text/html;q=0.1, application/json;q=0.5", html],
    ]);
  });

  it("G39: matches a parameter that the representation has, and none that it has not", () => {
    const profile = '"https://www.rfc-editor.org/info/rfc9727"';
    expectChoices(
      [
        ["application/linkset+json", linkset],
        [`application/linkset+json;profile=${profile}`, linkset],
        [`Application/Linkset+JSON ; PROFILE=${profile}`, linkset],
        ['application/linkset+json;profile="https://www.rfc-editor.org/info/rfc972\\7"', linkset],
        ['application/linkset+json;profile="https://example.org/"', undefined],
        [`application/linkset+json;profile=${profile};v=1`, undefined],
        [`application/linkset+json;q=0, application/linkset+json;profile=${profile};q=0.1`, linkset],
        [`application/linkset+json;profile=${profile};q=0, application/linkset+json`, undefined],
        ["application/json", undefined],
        ["application/*", linkset],
      ],
      [linkset],
    );
    expectChoices([
      ["text/html;level=1", undefined],
      ["text/html;level=1, text/markdown;q=0.1", markdown],
      ["application/json;profile=x;q=1, application/json;q=0.1, text/html;q=0.5", html],
      ['text/html;a="x, text/markdown"', undefined],
      ['text/html;a="\\", text/markdown"', undefined],
      ['text/html;a="x, y;q=0", text/markdown;q=0.1', markdown],
    ]);
  });

  it("O-43 G39: charset=utf-8 excludes nothing, and Markdown is matched on type and subtype only", () => {
    expectChoices([
      ["text/html;charset=utf-8", html],
      ["text/html; CHARSET=UTF-8", html],
      ['text/html;charset="utf-8"', html],
      ["application/json;charset=utf-8", json],
      ["text/html;charset=iso-8859-1", undefined],
      ["application/json;charset=utf-16", undefined],
      ["text/markdown", markdown],
      ["text/markdown;charset=utf-8", markdown],
      ["text/markdown;charset=us-ascii", markdown],
      ["text/markdown; variant=GFM; x=y", markdown],
      ["text/markdown;variant=GFM;q=0, */*;q=0", undefined],
      // No more specific than without: the highest of equally specific ranges counts.
      ["text/markdown;variant=GFM;q=0.2, text/markdown;q=0.9, text/html;q=0.5", markdown],
      ["text/html;charset=utf-8;q=0.2, text/html;q=0.9, application/json;q=0.5", html],
    ]);
  });

  it("O-12: takes a weight without its zero, which older clients of Java send", () => {
    const java = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";
    expectChoices([
      [java, html],
      [java.replace("text/html, ", ""), json],
      ["text/html;q=.5, text/markdown;q=.75", markdown],
    ]);
    expect(negotiate(java, ["application/json"])).toBe(0);
  });

  it("O-12: passes over a malformed member, and permits everything when no member is valid", () => {
    const malformed = [
      "html | text | / | text/ | /html | * | */json | text html | text /html | text/ html | te(xt/html | text/html=1",
      "text/html;q | text/html;q= | text/html;q=2 | text/html;q=1.001 | text/html;q=-1 | text/html;q=. | text/html;q=.1234 | {}",
      'text/html;q=0.1234 | text/html;q=1.0000 | text/html;q=x | text/html;q="0.5" | text/html;q=1e0 | text/html;q= 1',
      'text/html;a= | text/html;a=" | text/html;a="x | text/html;=x | " | text/html text/html | text/html;a=b c',
      "text/html\u00e9 | text/h\u00e9tml",
    ].flatMap((line) => line.split(" | "));
    expectChoices(malformed.map((member) => [member, json]));
    expectChoices(malformed.map((member) => [`text/markdown, ${member}`, markdown]));
    expectChoices(
      // An unclosed quote takes in what follows.
      malformed.filter((member) => !member.includes('"')).map((member) => [`${member}, text/markdown`, markdown]),
    );
    expectChoices([["text/html;q=2, application/json;q=0", undefined]]);
  });

  it("G39: a comma inside a quoted string ends no member, not even a malformed one (RFC 9110 §5.6.4)", () => {
    expectChoices([
      ['x;a="1, text/html, 2", text/markdown;q=0.5', markdown],
      ['text/html;q="1, text/html, 2", text/markdown;q=0.5', markdown],
      ['text/html b="1, text/html, 2", text/markdown;q=0.5', markdown],
    ]);
  });

  it("G39: q is the weight wherever it stands, and what follows it still belongs to the range (RFC 9110 §12.5.1)", () => {
    expectChoices([
      ["text/html;q=0.5;charset=utf-8, application/json;q=0.1", html],
      ["text/html;q=0.5;level=1", undefined],
      ["application/json;q=0.1, text/html;q=0.5;level=1", json],
      ["application/json;q=0.1, text/html;q=0.5;ext", json],
    ]);
  });

  it("G39: a parameter without a value makes its member malformed (RFC 9110 §5.6.6)", () => {
    expectChoices([
      ["text/html;level", json],
      ["text/markdown, text/html;level", markdown],
    ]);
  });

  it("G39: gets its right answer from 16 KiB of anything", () => {
    const fill = (unit: string): string => unit.repeat(Math.floor(16_300 / unit.length));
    expectChoices([
      [`${fill("text/html;q=0.1,")}text/markdown`, markdown],
      [`text/markdown${fill(",application/json;q=0")}`, markdown],
      [fill("image/png,"), undefined],
      [fill('"'), json],
      [fill(","), json],
      [fill(" "), json],
      [fill("*"), json],
      [fill("*/"), json],
      [fill("/"), json],
      [fill("text/html "), json],
      [`${fill(" ")}text/markdown`, markdown],
      [`text/markdown${fill(" ")}x`, json],
      [`text/html${fill(";")}`, html],
      [`text/html${fill(" ;")}q=0.5`, html],
      [`text/html${fill(";a=b")}`, undefined],
      [`text/html;a="${fill("x")}`, json],
      [`text/html;a="${fill('\\"')}`, json],
      [`text/html;a="${fill('\\"')}", text/markdown`, markdown],
      [`text/html${fill(';a="')}`, json],
      [`text/html;q=0.${fill("1")}`, json],
      [`${fill("a")}/b, text/html`, html],
      [`text/${fill("a")}`, undefined],
      [fill("a=b;"), json],
    ]);
  });
});

interface Judge {
  mediaTypes(available: readonly string[]): string[];
}
const Judge = Negotiator as new (request: { headers: { accept: string } }) => Judge;

/** Media types by preference, as another implementation sees it. */
function judge(accept: string, available: readonly string[]): string[] {
  return new Judge({ headers: { accept } }).mediaTypes(available);
}

describe("Accept against the package negotiator", () => {
  const ranges = [
    "application/json | text/html | text/markdown | application/linkset+json | image/png | */* | text/* | image/*",
    'application/* | Text/HTML | APPLICATION/json | text/html;level=1 | text/html;a="b, c;q=1"',
    'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
    'application/linkset+json;profile="urn:x"',
  ].flatMap((line) => line.split(" | "));
  const sets = [three, [json], [markdown], [linkset], [linkset, html, json]];

  /** Valid fields of one to eight members; `qualities` gives the weight of each. */
  function makeFields(seed: number, qualities: (next: (below: number) => number) => string[]): string[] {
    const next = random(seed);
    const pick = (texts: readonly string[]): string => texts[next(texts.length)] ?? "";
    return Array.from({ length: 600 }, () => {
      const weights = qualities(next);
      const members = weights.slice(0, 1 + next(8)).map((weight) => {
        const semicolon = pick([";", "; ", " ;", "\t; "]);
        return pick(ranges) + (weight === "" ? "" : `${semicolon}${pick(["q", "Q"])}=${weight}`);
      });
      return members.join(pick([",", ", ", " ,\t"]));
    });
  }

  it("G39 O-12: chooses the same type for each of 600 fields whose weights differ", () => {
    const weights = ["", "0", "0.9", "0.85", "0.7", "0.5", "0.333", "0.25", "0.1", "0.001"];
    const shuffle = (next: (below: number) => number): string[] =>
      weights
        .map((weight) => [next(1000), weight] as const)
        .sort(([a], [b]) => a - b)
        .map(([, weight]) => weight);
    const outcomes = new Set<string | undefined>();
    for (const field of makeFields(1, shuffle)) {
      for (const available of sets) {
        const [expected] = judge(field, available);
        expectChoices([[field, expected]], available);
        outcomes.add(expected);
      }
    }
    // The fields are worth something: they lead everywhere.
    expect(outcomes).toEqual(new Set([...three, linkset, undefined]));
  });

  it("G39 G36: permits the same types for each of 600 fields of any weights, and refuses the same ones", () => {
    const weights = ["", "1", "1.000", "0", "0.0", "0.000", "0.5", "0.50", "0.1"];
    const any = (next: (below: number) => number): string[] =>
      Array.from({ length: 8 }, () => weights[next(weights.length)] ?? "");
    for (const field of makeFields(2, any)) {
      for (const type of [...three, linkset]) expectChoices([[field, judge(field, [type])[0]]], [type]);
      for (const available of sets) {
        expect([field, negotiate(field, available) === undefined]).toEqual([
          field,
          judge(field, available).length === 0,
        ]);
      }
    }
  });
});
