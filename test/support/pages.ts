/** What the tests of the pages share. */
import { afterAll, beforeAll, expect } from "vitest";
import { ConceptList } from "../../runtime/contract/concept.ts";
import { empty, nasty } from "./nasty.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "./registry.ts";
import { expectSchema } from "./schemas.ts";
import { type Service, startService } from "./service.ts";
import { type Element, elements, parseHtml, textOf } from "./page.ts";

export const INJECTION =
  `"><script nonce type="module">alert(1)</script><img src=x onerror='alert(1)'> &amp; ` +
  `<main id="main"></title></template><!-- {{ 1 + 1 }} ]]>`;

/** An IRI, so that it becomes a link. */
export function linkSaying(text: string): string {
  return `https://x.example/?a='&lt&quot=${encodeURIComponent(text)}`;
}

/** A registry that says this wherever it may say anything. */
function saying(text: string): RegistryFiles {
  const source = { source: text, license: "CC0-1.0", sourceId: text, reviewedBy: text, reviewedAt: "2026-11-21" };
  const exactMatch = [text, `javascript:${text}`, `https://x.example/ ${text}`, linkSaying(text)];
  const provenance = { ...source, exactMatch };
  const own = { ...source, source: `${text} of its own` };
  const spoken = concept(
    "S-ALL",
    [
      expression("en", `first ${text}`, { provenance: own }),
      expression("de", `near ${text}`, { equivalenceStrength: 0.5 }),
      expression("en", `shared ${text}`),
    ],
    {
      name: text,
      definition: text,
      provenance,
      renderings: [{ type: "text", descriptor: text, unicodeSequence: text, confidence: 0.5 }],
      notations: [{ notation: text }],
      notes: { scopeNote: [{ text: `note ${text}` }, { language: "de", text: `Notiz ${text}` }] },
      related: ["S-OTHER"],
    },
  );
  const other = concept("S-OTHER", [expression("en", `shared ${text}`)], { name: text, definition: text });
  return { concepts: [spoken, other], registry: { name: text } };
}

/** 250 concepts: two full pages of the list and a half. */
const long: RegistryFiles = {
  concepts: Array.from({ length: 250 }, (_none, i) => {
    const code = `L-${String(i).padStart(3, "0")}`;
    return concept(code, [expression("en", `number ${i}`)]);
  }),
};

interface PageServices {
  readonly service: Service;
  readonly none: Service;
  readonly many: Service;
  readonly hostile: Service;
  readonly harmless: Service;
  /** What a browser gets, from `service` if from no other. */
  visit(target: string, from?: Service, status?: number): Promise<Element>;
}

type Name = Exclude<keyof PageServices, "visit">;

const FILES: Readonly<Record<Name, RegistryFiles>> = {
  service: nasty,
  none: empty,
  many: long,
  hostile: saying(INJECTION),
  harmless: saying("harmless"),
};

/** Services over difficult registries: ready before the first test, without a fault at the end. */
export function pageServices(): PageServices {
  const at = {} as Record<Name, Service>;
  const all: Service[] = [];
  beforeAll(async () => {
    // One after the other: while one is built, the start of another would wait too long.
    for (const [name, files] of Object.entries(FILES)) {
      const service = await startService(checkedRegistry(files));
      at[name as Name] = service;
      all.push(service);
    }
  });
  afterAll(async () => {
    await Promise.all(all.map((each) => each.close()));
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  });
  return Object.assign(at, { visit: (target: string, from = at.service, status = 200) => visit(target, from, status) });
}

/** As a browser asks. */
export const BROWSER = { headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" } };

async function visit(target: string, from: Service, status: number): Promise<Element> {
  const reply = await from.send("GET", target, BROWSER);
  expect(reply.status, target).toBe(status);
  expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
  return parseHtml(reply);
}

/** `/path?name=value&…`, encoded as a form does it. */
export function query(path: string, parameters: Record<string, string>): string {
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}

export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}

/** Codes of the concepts that a list page shows, in its order. */
export function listed(page: Element): string[] {
  const main = elements(page, "main")[0];
  return elements(main, "li").flatMap((item) => {
    const [code] = elements(item, "code");
    return code === undefined ? [] : [textOf(code)];
  });
}

export async function listCodes(from: Service, filter = ""): Promise<string[]> {
  const { data } = expectSchema(ConceptList, (await from.send("GET", `/api/v1/concepts${filter}`)).json());
  return data.map(({ code }) => code);
}
