/**
 * Thesauri that others wrote, brought in, built and served as anybody would, and every label of
 * them asked for over a socket. What each is to answer is worked out from the file by a reader of
 * the tests' own, which rapper checks in turn.
 *
 * SKOS_DATA names a folder with Turtle files (*.ttl); without it all of this is skipped. Such data
 * can be had from the European Environment Agency (GEMET, CC BY), ZBW (STW Thesaurus for Economics,
 * ODbL), COAR (Resource Types, CC0), hbz (NWBib subjects, CC0), and whoever else publishes SKOS.
 * None of it is part of this project.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, requestsFor } from "../support/ask.ts";
import { serve, type Served } from "../support/command.ts";
import { type Measured, must, peakOf } from "../support/measured.ts";
import { execute } from "../support/npx.ts";
import { resolveMany } from "../support/resolve-many.ts";
import {
  ambiguousTexts,
  isFit,
  mended,
  publish,
  type Published,
  readThesaurus,
  type Thesaurus,
} from "../support/thesaurus.ts";
import { formatNTriples, parseTurtle, type Triple } from "../support/turtle-reader.ts";
import { digestsIn } from "../support/files.ts";
import { type Dump, labelsOfWhatIsNoConcept, makeDump, withoutType } from "./dumps.ts";
import { canonical, grounded, tableOf } from "./graphs.ts";
import { linesOf, readBack, type RegistryOnDisk } from "./registry-on-disk.ts";

const data = process.env["SKOS_DATA"];
const files = data === undefined ? [] : readdirSync(data).filter((name) => name.endsWith(".ttl"));
if (data === undefined)
  console.warn(
    "Skipped, no thesauri: SKOS_DATA names a folder with *.ttl files. See the head of thesauri.external.ts.",
  );
else if (files.length === 0) throw new Error("SKOS_DATA names a folder without *.ttl files");

const { code: rapperCode } = await execute("rapper", ["--version"], { cwd: tmpdir() });
const noRapper = rapperCode !== 0;
if (data !== undefined && noRapper)
  console.warn("Skipped, rapper is not here: `apt-get install --no-install-recommends raptor2-utils`.");

const DOMAIN = "things";
const LONG = { timeout: 600_000 };

interface ImportFinding {
  readonly rule: string;
  readonly outcome: string;
  readonly concept: string | null;
  readonly language: string | null;
}

function count(summary: string, pattern: RegExp): number[] {
  const [, ...groups] = pattern.exec(summary) ?? [];
  return groups.map(Number);
}

describe.skipIf(data === undefined).each(data === undefined ? ["a thesaurus"] : files)("%s", (name) => {
  let folder: string;
  let triples: readonly Triple[];
  let thesaurus: Thesaurus;
  let registry: string;
  let imported: Measured;
  let findings: readonly ImportFinding[];
  let back: RegistryOnDisk;
  const running: Served[] = [];
  const file = path.join(data ?? "", name);

  const importInto = (from: string, into: string, more: readonly string[] = []): Promise<Measured> =>
    must(
      ["import", "--format", "skos", "--from", from, "--into", into, "--domain", DOMAIN].concat(
        ["--review-as", "reviewed", "--findings", `${into}.findings`],
        more,
      ),
    );

  /** Writes a dump of the same name into a folder of its own. */
  const asLines = (place: string, dump: readonly Triple[]): string => {
    mkdirSync(path.join(folder, place));
    const lines = path.join(folder, place, `${path.basename(name, ".ttl")}.nt`);
    writeFileSync(lines, formatNTriples(dump));
    return lines;
  };

  const build = async (from: string): Promise<{ readonly dist: string; readonly built: Measured }> => {
    const dist = `${from}-dist`;
    return { dist, built: await must(["build", "--registry", from, "--out", dist, "--origin", "http://127.0.0.1:80"]) };
  };

  const start = async (dist: string): Promise<Served> => {
    const served = await serve("lib/runtime/main.js", ["--out", dist], {});
    running.push(served);
    return served;
  };

  const stop = async (served: Served): Promise<void> => {
    served.child.kill("SIGTERM");
    expect(await served.exit, served.stderr()).toBe(0);
  };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "thesaurus-"));
    triples = parseTurtle(readFileSync(file, "utf8"));
    thesaurus = readThesaurus(triples);
    registry = path.join(folder, "registry");
    imported = await importInto(file, registry);
    findings = linesOf<ImportFinding>(`${registry}.findings`);
    back = readBack(registry);
  }, 600_000);

  afterAll(() => {
    for (const { child } of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  it.skipIf(noRapper)("is read by rapper as by the tests' own reader", LONG, async () => {
    // rapper takes a byte order mark for a character.
    const copy = path.join(folder, "copy.ttl");
    writeFileSync(copy, readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
    const args = ["-q", "-i", "turtle", "-o", "ntriples", copy, "http://base.example/"];
    const { code, stdout, stderr } = await execute("rapper", args, { cwd: folder });
    expect([code, stderr]).toEqual([0, ""]);
    const others = parseTurtle(stdout);
    const [own, theirs] = [grounded(triples), grounded(others)];
    expect([...own].filter((line) => !theirs.has(line))).toEqual([]);
    expect([...theirs].filter((line) => !own.has(line))).toEqual([]);
    expect(others.length).toBe(triples.length);
  });

  it("has every concept and label of the file after the import, and says how many", () => {
    const { concepts, deprecated, labels } = thesaurus;
    const published = publish(thesaurus);
    expect(
      count(imported.stdout, /concepts: ([0-9]+) new, ([0-9]+) changed, ([0-9]+) unchanged; ([0-9]+) codes/),
    ).toEqual([concepts.size - deprecated.size, 0, 0, deprecated.size]);
    const living = labels.filter(({ concept, kind }) => kind !== "hidden" && !deprecated.has(concept));
    const tags = new Set(living.map(({ tag }) => tag).filter((tag) => tag !== ""));
    const now =
      /now: ([0-9]+) concepts?, ([0-9]+) retired codes?, ([0-9]+) expressions? in ([0-9]+) languages?: ([0-9]+) reviewed, ([0-9]+) waiting/;
    const { fit, expressions: all } = published;
    const inRegistry = [concepts.size - deprecated.size, deprecated.size, all, tags.size];
    expect(count(imported.stdout, now)).toEqual([...inRegistry, fit, all - fit]);
    // A locale is admitted with its language, and alone where that has no labels.
    const languageOf = (tag: string): string => tag.replace(/-(?:[A-Z]{2}|[0-9]{3})$/, "");
    const admitted = [...tags].filter((tag) => languageOf(tag) === tag || !tags.has(languageOf(tag)));
    expect(new Set(back.languages)).toEqual(new Set(admitted));
    // The files say what the summary says.
    const records = back.concepts.flatMap(({ provenance: { sourceId }, expressions }) =>
      expressions.map(({ language, locale, expression }) => JSON.stringify([sourceId, locale ?? language, expression])),
    );
    const written = living.map(({ concept, tag, text }) => JSON.stringify([concept, tag, text]));
    expect(new Set(records)).toEqual(new Set(written));
    const hidden = back.concepts.flatMap(({ provenance: { sourceId }, hiddenLabels = [] }) =>
      hiddenLabels.map(({ language, label }) => JSON.stringify([sourceId, language, label])),
    );
    const hiddenOnes = labels.filter(({ concept, kind }) => kind === "hidden" && !deprecated.has(concept));
    expect(new Set(hidden)).toEqual(
      new Set(hiddenOnes.map(({ concept, tag, text }) => JSON.stringify([concept, tag, text]))),
    );
    expect([...back.codes.keys()].toSorted()).toEqual([...concepts].toSorted());
    expect(new Set(back.codes.values()).size).toBe(concepts.size);
  });

  it("has the preferred labels of the file as preferred, one for each concept and tag", () => {
    const wanted = new Map<string, Set<string>>();
    for (const { concept, kind, tag, text } of thesaurus.labels) {
      if (kind !== "preferred" || thesaurus.deprecated.has(concept)) continue;
      const key = `${concept} ${tag}`;
      wanted.set(key, (wanted.get(key) ?? new Set()).add(text));
    }
    const found = new Map<string, string[]>();
    for (const { provenance, expressions } of back.concepts) {
      for (const { language, locale, expression, type } of expressions) {
        if (type !== "preferred") continue;
        const key = `${provenance.sourceId} ${locale ?? language}`;
        found.set(key, [...(found.get(key) ?? []), expression]);
      }
    }
    expect([...found.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
    expect([...found].filter(([key, [one, ...more]]) => more.length > 0 || !wanted.get(key)?.has(one ?? ""))).toEqual(
      [],
    );
  });

  it("is told of every label that cannot be published, and of every ambiguous one", () => {
    const held = new Set(
      findings.filter(({ outcome }) => outcome === "held").map(({ concept, language }) => `${concept} ${language}`),
    );
    const unfit = thesaurus.labels.filter(
      (label) => label.kind !== "hidden" && !thesaurus.deprecated.has(label.concept) && isFit(label) === false,
    );
    const named = unfit.map(({ concept, tag }) => `${concept} ${tag === "" ? null : tag}`);
    expect(held).toEqual(new Set(named));
    const waiting = back.concepts.flatMap(({ provenance, expressions }) =>
      expressions
        .filter(({ reviewStatus }) => reviewStatus !== "reviewed")
        .map(({ language, locale, expression }) =>
          JSON.stringify([provenance.sourceId, locale ?? language, expression]),
        ),
    );
    expect(new Set(waiting)).toEqual(
      new Set(unfit.map(({ concept, tag, text }) => JSON.stringify([concept, tag, text]))),
    );
    const { within, across } = ambiguousTexts(thesaurus);
    const told = (rule: string): number => findings.filter((finding) => finding.rule === rule).length;
    expect([told("ambiguous-within-language"), told("ambiguous-across-languages")]).toEqual([within, across]);
    const stated = (rule: string): number =>
      count(imported.stdout, new RegExp(`^ +${rule} +kept +([0-9]+)`, "m"))[0] ?? 0;
    expect([stated("ambiguous-within-language"), stated("ambiguous-across-languages")]).toEqual([within, across]);
  });

  it("retires what the file calls deprecated, with the successor it names", () => {
    const entries = new Map(back.retired.map((entry) => [entry.sourceId, entry]));
    expect(new Set(entries.keys())).toEqual(thesaurus.deprecated);
    for (const concept of thesaurus.deprecated) {
      const successors = (thesaurus.replacedBy.get(concept) ?? []).filter((other) => thesaurus.concepts.has(other));
      const only = new Set(successors).size === 1 ? back.codes.get(successors[0] ?? "") : null;
      const { code, replacedBy } = entries.get(concept) ?? {};
      expect([concept, code, replacedBy]).toEqual([concept, back.codes.get(concept), only]);
    }
  });

  it("answers for every label, over a socket, what the file says", LONG, async () => {
    const published = publish(thesaurus);
    const { dist, built } = await build(registry);
    const starting = performance.now();
    const served = await start(dist);
    const labelled = thesaurus.labels.find((label) => isFit(label) === true);
    await resolveMany(served.port, [{ expression: labelled?.text ?? "", language: labelled?.tag ?? "en" }]);
    const seconds = (performance.now() - starting) / 1000;
    const tags = [...new Set(thesaurus.labels.map(({ tag }) => tag))].filter((tag) => tag !== "");
    const notLabels = labelsOfWhatIsNoConcept(triples, thesaurus);
    const asked = await ask(served.port, { published, codes: back.codes }, [
      ...requestsFor(thesaurus.labels, tags),
      ...requestsFor(notLabels, tags),
    ]);
    const { differences, ...numbers } = asked;
    const took = (what: string, { seconds: time, megabytes }: Pick<Measured, "seconds" | "megabytes">): string =>
      `${what} ${time.toFixed(1)} s, ${megabytes ?? "?"} MB`;
    console.log(
      `${name}: ${took("import", imported)}; ${took("build", built)}; ` +
        `${took("start to first answer", { seconds, megabytes: peakOf(served.child.pid) })}; ` +
        `${numbers.requests} requests in ${numbers.seconds.toFixed(1)} s: ${numbers.resolved} resolve, ` +
        `${numbers.ambiguous} ambiguous, ${numbers.unsure} not judged`,
    );
    expect(differences).toEqual([]);
    expect(numbers.resolved).toBeGreaterThan(0);
    await expectConcepts(served.port, published);
    await stop(served);
  });

  /** Concepts by their codes: those with something to resolve are there, the others are not. */
  async function expectConcepts(port: number, published: Published): Promise<void> {
    const living = new Set<string>();
    for (const byTag of published.meanings.values())
      for (const concepts of byTag.values()) for (const concept of concepts) living.add(concept);
    const get = (target: string): Promise<Response> => fetch(`http://127.0.0.1:${port}/api/v1/${target}`);
    for (const [i, [concept, code]] of [...back.codes].entries()) {
      if (living.has(concept) && i % 50 !== 0) continue;
      const response = await get(`concepts/${code}`);
      expect([concept, response.status]).toEqual([concept, living.has(concept) ? 200 : 404]);
      const body = (await response.json()) as {
        readonly data?: { readonly provenance: { readonly sourceId: string } };
      };
      if (response.ok) expect(JSON.stringify(body)).toContain(JSON.stringify(concept));
      else expect(body).toEqual({ error: "concept_not_found" });
    }
    const status = JSON.stringify(await (await get("status")).json());
    expect(status).toContain(String(living.size));
    expect(status).toContain(String(published.fit));
  }

  it("changes no byte when it is imported again, as it is or as N-Triples", LONG, async () => {
    const before = digestsIn(registry);
    await importInto(file, registry);
    expect(digestsIn(registry)).toEqual(before);
    const again = await importInto(asLines("same", triples.toReversed()), registry);
    expect(again.stdout).toMatch(/concepts: 0 new, 0 changed, /);
    expect(digestsIn(registry)).toEqual(before);
  });

  it("changes no byte when the same dump has another name, and no domain is said", LONG, async () => {
    const renamed = path.join(folder, "renamed");
    cpSync(registry, renamed, { recursive: true });
    const other = path.join(folder, "another-name-9.99.ttl");
    cpSync(file, other);
    await must(["import", "--format", "skos", "--from", other, "--into", renamed, "--review-as", "reviewed"]);
    expect(digestsIn(renamed)).toEqual(digestsIn(registry));
  });

  it("goes out as SKOS and as CSV, and comes back to the byte", LONG, async () => {
    const before = digestsIn(registry);
    for (const [format, out] of [
      ["skos", "out.ttl"],
      ["csv", "out.csv"],
    ] as const) {
      // prettier-ignore
      const to = path.join(folder, out);
      await must(["export", "--format", format, "--registry", registry, "--into", to]);
      const into = path.join(folder, `back-${format}`);
      await must(["import", "--format", format, "--from", to, "--into", into, "--review-as", "reviewed"]);
      expect([format, digestsIn(into)]).toEqual([format, before]);
    }
    const exported = parseTurtle(readFileSync(path.join(folder, "out.ttl"), "utf8"));
    const labels = exported.filter(({ predicate }) => /core#(?:pref|alt)Label$/.test(predicate));
    expect(labels.length).toBe(publish(thesaurus).fit);
    if (noRapper) return;
    const args = ["-c", "-i", "turtle", path.join(folder, "out.ttl")];
    const { stderr } = await execute("rapper", args, { cwd: folder });
    expect(stderr).toContain(`returned ${exported.length} triples`);
  });

  it("comes out as the same graph, but for what is printed, and goes in again to the byte", LONG, async () => {
    const out = path.join(folder, "source", name);
    mkdirSync(path.dirname(out));
    const exported = await must(["export", "--format", "source", "--registry", registry, "--into", out]);
    const after = parseTurtle(readFileSync(out, "utf8"));
    const [source, given] = [await canonical(triples), await canonical(after)];
    const lost = [...source].filter((line) => !given.has(line));
    const added = [...given].filter((line) => !source.has(line));
    console.log(
      `${name}: ${source.size} statements in, ${given.size} out in ${exported.seconds.toFixed(1)} s, ` +
        `${exported.megabytes ?? "?"} MB; lost ${lost.length}, added ${added.length}\n${tableOf(triples, after, back)}`,
    );
    expect([lost, added]).toEqual([[], []]);
    const into = path.join(folder, "from-source");
    await importInto(out, into);
    expect(digestsIn(into)).toEqual(digestsIn(registry));
  });

  it("resolves what --fix mends, too", LONG, async () => {
    const into = path.join(folder, "fixed");
    const { stdout } = await importInto(file, into, ["--fix", "nfc,spaces,tags"]);
    const published = publish(thesaurus, mended);
    expect(count(stdout, /: ([0-9]+) reviewed, ([0-9]+) waiting/)).toEqual([
      published.fit,
      published.expressions - published.fit,
    ]);
    expect(readBack(into).codes).toEqual(back.codes);
    const { dist } = await build(into);
    const served = await start(dist);
    const chosen = thesaurus.labels.filter((label, i) => isFit(label) !== true || i % 10 === 0);
    const asMended = chosen.map((label) => ({ ...label, text: mended(label.text) }));
    const asked = await ask(
      served.port,
      { published, codes: back.codes },
      requestsFor([...chosen, ...asMended], ["en"]),
    );
    expect(asked.differences).toEqual([]);
    await stop(served);
  });

  describe("after a release, a newer dump", () => {
    let newer: string;
    let dump: Dump;
    beforeAll(async () => {
      newer = path.join(folder, "newer");
      cpSync(registry, newer, { recursive: true });
      await must(["release-registry", "--registry", newer, "--version", "2026.11.1"]);
      dump = makeDump(triples, thesaurus);
    }, 600_000);

    it("keeps every code, retires what is gone or deprecated, and says what became of it", LONG, async () => {
      const { stdout } = await importInto(asLines("newer-dump", dump.triples), newer);
      expect(stdout).toMatch(
        // What was related to the concept that is gone changed, too.
        /concepts: 1 new, [1-9][0-9]* changed, [0-9]+ unchanged; 2 codes newly retired, 1 of them because/,
      );
      const after = readBack(newer);
      const { added, gone, deprecated, successor } = dump;
      expect(new Map([...after.codes].filter(([concept]) => concept !== added))).toEqual(back.codes);
      expect([...back.codes.values()]).not.toContain(after.codes.get(added));
      const before = new Set(back.retired.map(({ code }) => code));
      const retired = after.retired.filter(({ code }) => !before.has(code));
      const told = Object.fromEntries(retired.map(({ code, replacedBy }) => [code, replacedBy]));
      expect(told).toEqual({
        [back.codes.get(gone) ?? ""]: null,
        [back.codes.get(deprecated) ?? ""]: back.codes.get(successor),
      });
    });

    it("answers as the newer dump says, the old label no more", LONG, async () => {
      const codes = readBack(newer).codes;
      const thesaurusNow = readThesaurus(dump.triples);
      const published = publish(thesaurusNow);
      const { dist } = await build(newer);
      const served = await start(dist);
      const touched = new Set([dump.gone, dump.deprecated, dump.successor, dump.added, dump.relabelled]);
      const labels = [...thesaurus.labels, ...thesaurusNow.labels].filter(
        ({ concept }, i) => touched.has(concept) || i % 10 === 0,
      );
      const asked = await ask(served.port, { published, codes }, requestsFor(labels, ["en"]));
      expect(asked.differences).toEqual([]);
      for (const concept of [dump.gone, dump.deprecated]) {
        const { status } = await fetch(`http://127.0.0.1:${served.port}/api/v1/concepts/${codes.get(concept)}`);
        expect(status).toBe(404);
      }
      const retired = await (await fetch(`http://127.0.0.1:${served.port}/registry/retired.json`)).text();
      expect(retired).toContain(codes.get(dump.gone));
      await stop(served);
    });

    it("gives its codes back when the older dump returns, until they are released as retired", LONG, async () => {
      const returned = path.join(folder, "returned");
      cpSync(newer, returned, { recursive: true });
      await importInto(file, returned);
      const { codes, retired } = readBack(returned);
      for (const [concept, code] of back.codes) expect([concept, codes.get(concept)]).toEqual([concept, code]);
      const gone = [...back.retired.map(({ code }) => code), codes.get(dump.added)];
      expect(new Set(retired.map(({ code }) => code))).toEqual(new Set(gone));
      await must(["release-registry", "--registry", newer, "--version", "2026.12.1"]);
      await importInto(file, newer);
      const later = readBack(newer);
      const moved = [...back.codes]
        .filter(([concept, code]) => later.codes.get(concept) !== code)
        .map(([concept]) => concept);
      expect(moved.toSorted()).toEqual([dump.gone, dump.deprecated].toSorted());
      const dead = new Set(later.retired.map(({ code }) => code));
      expect(dead).toContain(back.codes.get(dump.gone));
      expect(dead).toContain(back.codes.get(dump.deprecated));
      expect(later.concepts.filter(({ code }) => dead.has(code))).toEqual([]);
    });

    it("names the successor of a concept whose type the source takes away with its labels", LONG, async () => {
      // STW, among others, deprecates so: no skos:Concept any more, an rdfs:label, owl:deprecated,
      // dcterms:isReplacedBy.
      const stripped = path.join(folder, "stripped");
      cpSync(registry, stripped, { recursive: true });
      await importInto(asLines("stripped-dump", withoutType(triples, dump)), stripped);
      const code = back.codes.get(dump.deprecated);
      const entry = readBack(stripped).retired.find((retired) => retired.code === code);
      expect([entry?.code, entry?.replacedBy]).toEqual([code, back.codes.get(dump.successor)]);
    });
  });
});
