/**
 * `check --recorded` and `--migrate`: answers of earlier releases are judged as those releases
 * themselves would, from the changes alone, and retired codes lead to the end of their chains.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Judge } from "../../../generator/tools/data/judge.ts";
import { Migration } from "../../../generator/tools/data/migration.ts";
import { type Past, readPast } from "../../../generator/promise/past.ts";
import { Replay } from "../../../generator/tools/data/replay.ts";
import { resolve } from "../../../runtime/registry/resolver.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { runHere } from "../../support/command.ts";
import { FIRST, makeReleases, type Releases, SECOND, THIRD } from "./releases.ts";

const folder = mkdtempSync(path.join(tmpdir(), "test-replay-"));
const file = (name: string, content: string): string => {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
};

let releases: Releases;
beforeAll(async () => {
  releases = await makeReleases();
});

const sourceOf = ({ index, documents }: Release) => ({ name: "dist", index, documents });

describe("recorded answers", () => {
  const judged = async (lines: string) => {
    const from = file("recorded.csv", `code,registryVersion,expression,language,name\n${lines}`);
    const args = ["check", "--recorded", "--out", releases.dist(THIRD), "--from", from, "--name-column", "name"];
    const { stdout, code } = await runHere([...args, "--report", "ndjson"]);
    const rows = stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as { verdict: string; evidence: object }); // prettier-ignore
    return { code, verdicts: rows.map(({ verdict }) => verdict), rows };
  };

  it.each([
    ["B-1,2026.01.1,beta,en,", "was_right/still"],
    ["A-1,2026.01.1,alfa,de,Alpha", "was_right/reassigned"],
    ["A-1,2026.01.1,alfa,de-AT,", "was_right/reassigned"],
    ["A-1,2026.02.1,alfa,de-AT,", "was_wrong/reassigned"],
    ["B-1,2026.02.1,alfa,de-AT,", "was_right/still"],
    ["A-1,2026.01.1,alfa,fr,", "was_wrong/now_abstains"],
    ["D-1,2026.01.1,delta,,", "was_right/now_abstains"],
    ["E-1,2026.01.1,epsilon,en,", "was_right/retired"],
    ["F-1,2026.02.1,epsilon,en-GB,", "was_right/retired"],
    ["F-1,2026.01.1,epsilon,en,", "was_wrong/retired"],
    ["G-1,2026.02.1,,,", "was_wrong/still"],
    ["C-1,2026.01.1,gamma,en,Gamma", "was_right/renamed"],
    ["C-1,2026.03.1,gamma,en,Gamma ray", "was_right/still"],
    ["C-1,1999.01.1,gamma,en,Gamma ray", "version_unknown/still"],
    ["C-1,,gamma,en,Gamma ray", "version_unknown/still"],
    [",2026.01.1,shared,en,", "was_right/still"],
    ["Z-9,2026.01.1,,,", "was_wrong/unknown_code"],
  ])("%s: %s", async (line, verdict) => {
    expect((await judged(`${line}\n`)).verdicts).toEqual([verdict]);
  });

  it("come with the successor and with what the expression leads to now", async () => {
    const { rows } = await judged("E-1,2026.01.1,epsilon,en,\nA-1,2026.01.1,alfa,de,\n");
    expect(rows.map(({ evidence }) => evidence)).toEqual([
      { retiredIn: SECOND, replacedBy: "F-1", reason: "Split" },
      { resolvesTo: "B-1" },
    ]);
  });

  it("are judged as each release itself would answer, in every language", () => {
    const open = openRelease(releases.dist(THIRD));
    const replay = new Replay(new Judge(open.index, readPast(sourceOf(open))));
    let right = 0;
    for (const version of [FIRST, SECOND, THIRD]) {
      const own = openRelease(releases.dist(version));
      for (const expression of ["alpha", "alfa", "beta", "gamma", "shared", "delta", "epsilon", "none"]) {
        for (const language of ["", "en", "en-GB", "de", "de-AT", "de-x-private", "fr"]) {
          const answer = resolve(own.index, expression, language || undefined);
          for (const code of ["", "A-1", "B-1", "C-1", "D-1", "E-1", "F-1", "G-1"]) {
            const expected =
              answer.status === "resolved" ? own.index.conceptId(code) === answer.conceptId : code === "";
            const { verdict } = replay.judge({ code, expression, language, registryVersion: version, name: "" });
            const then = verdict.split("/")[0];
            if (expected)
              expect([then, version, expression, language, code]).toEqual(["was_right", version, expression, language, code]); // prettier-ignore
            else expect(["was_wrong", "version_unknown"]).toContain(then);
            if (then === "was_right") right++;
          }
        }
      }
      own.close();
    }
    expect(right).toBe(3 * 8 * 7);
    open.close();
  });

  it("of versions whose later changes are missing are not judged, which is said", () => {
    const open = openRelease(releases.dist(THIRD));
    const documents = new Map(open.documents);
    documents.delete("/registry/changes/2026.02.1.json");
    const replay = new Replay(new Judge(open.index, readPast({ ...sourceOf(open), documents })));
    expect(replay.unreached).toEqual([FIRST]);
    const given = { code: "A-1", expression: "alfa", language: "de", name: "" };
    expect(replay.judge({ ...given, registryVersion: FIRST }).verdict).toBe("version_unknown/reassigned");
    expect(replay.judge({ ...given, registryVersion: SECOND }).verdict).toBe("was_wrong/reassigned");
    open.close();
  });

  it("need changes of this registry: another one's are refused", () => {
    const open = openRelease(releases.dist(THIRD));
    const name = "/registry/changes/2026.02.1.json";
    const text = new TextDecoder().decode(open.documents.get(name));
    for (const other of [text.replaceAll(FIRST, "2025.01.1"), text.replace(/"contentSha256": "./, '"contentSha256": "x'), "{"]) {
      const documents = new Map(open.documents).set(name, Buffer.from(other));
      expect(() => readPast({ ...sourceOf(open), documents })).toThrow(/2026\.02\.1\.json cannot be used/);
    }
    open.close();
  }); // prettier-ignore
});

describe("--migrate", () => {
  it("writes the retired codes of the data with the ends of their chains, and leaves the data alone", async () => {
    const text = "code,expression\nE-1,\nA-1,alpha\nF-1,\nE-1,epsilon\nZ-9,\n";
    const [from, into] = [file("old.csv", text), path.join(folder, "table.csv")];
    const { code } = await runHere(["check", "--out", releases.dist(THIRD), "--from", from, "--migrate", into]);
    expect(code).toBe(1);
    expect(readFileSync(into, "utf8")).toBe(
      "code,successor,via,rows,reason,note\r\nE-1,G-1,F-1,2,Split,\r\nF-1,G-1,,1,Split,\r\n",
    );
    expect(readFileSync(from, "utf8")).toBe(text);
    const same = await runHere(["check", "--out", releases.dist(THIRD), "--from", from, "--migrate", from]);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining("would change")]);
  });

  it("names cycles, missing ends and codes without a successor", () => {
    const open = openRelease(releases.dist(THIRD));
    const to = (replacedBy: string | null) => ({ retiredIn: FIRST, replacedBy, reason: "=1+1", name: null });
    const retired = new Map(Object.entries({ "R-1": to("R-2"), "R-2": to("R-3"), "R-3": to("R-2"), "S-1": to("S-2"), "T-1": to(null) })); // prettier-ignore
    const past: Past = { ...readPast(sourceOf(open)), retired };
    const migration = new Migration(new Judge(open.index, past));
    for (const code of ["R-1", "R-3", "S-1", "T-1", "A-1", "no code"]) migration.see({ code });
    expect([...migration.table()].join("")).toBe(
      "code,successor,via,rows,reason,note\r\n" +
        "R-1,,R-2 R-3,1,'=1+1,a cycle: R-2 leads to itself\r\nR-3,,R-2,1,'=1+1,a cycle: R-3 leads to itself\r\n" +
        "S-1,,,1,'=1+1,S-2 is neither published nor retired\r\nT-1,,,1,'=1+1,T-1 has no successor\r\n",
    );
    open.close();
  });
});
