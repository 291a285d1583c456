/** The reports, and the studio that leads to them. */
import { describe, expect, it } from "vitest";
import { prove } from "../../../../generator/integration/classifier.ts";
import type { Fixture, IntegrationKit } from "../../../../generator/contract/integration.ts";
import { RECIPES } from "../../../support/documents.ts";
import { ORIGIN } from "../../../support/release.ts";
import { FILES, fixture, integrations, OUTCOMES } from "../../../support/integration.ts";
import { sha256 } from "../../../support/sha256.ts";
import { WHOLE } from "../../../support/integration-registries.ts";

const { all } = integrations();

describe("the reports", () => {
  it.each(WHOLE)("F14: with the %s registry say that they are no deployment proof and no authorization", (name) => {
    for (const id of RECIPES) {
      const report = all[name].reports[id];
      expect(report).toMatchObject({ passed: true, isDeploymentProof: false, isAuthorization: false });
      const said = report.statements.join("\n");
      expect(said).toMatch(/not a proof of deployment/);
      expect(said).toMatch(/not an authorization/);
      expect(said).toMatch(/illustration.*not in any registry.*must not be recorded/);
      expect(report.fixtures.map(({ asDeclared }) => asDeclared)).toEqual(OUTCOMES.map(() => true));
      const kit = all[name].kits[id];
      expect(kit.text("README.md")).toMatch(/does not show that a service is deployed[\s\S]*authorizes nothing/);
      expect(kit.text("instructions.txt")).toMatch(/grant no authorization/);
    }
    expect(all[name].readiness.isDeploymentProof).toBe(false);
  });

  it.each(WHOLE)(
    "F24 F32: with the %s registry are what the classifier makes of the kit's fixtures, and lie in it",
    async (name) => {
      const { service, reports, kits } = all[name];
      for (const id of RECIPES) {
        const kit = kits[id];
        const served = await service.send("GET", `/api/v1/integration-readiness/report/${id}`);
        expect([id, kit.file("report.json").equals(served.body)]).toEqual([id, true]);
        const packed = OUTCOMES.map((kind) => kit.json(`fixtures/${kind}.json`) as Fixture);
        expect(prove(packed)).toEqual(reports[id].fixtures);
        // Six and no more, and each the report's own without the verdict.
        expect(kit.names.filter((file) => file.includes("/fixtures/")).length).toBe(6);
        for (const [i, { result: _result, asDeclared: _asDeclared, ...declared }] of reports[id].fixtures.entries()) {
          expect(packed[i]).toEqual(declared);
          expect(Object.keys(packed[i] ?? {})).toEqual(Object.keys(declared));
        }
      }
    },
  );

  it.each(RECIPES)(
    "F24: name the classifier by its file in the kit and its digest, and it judges so: %s",
    async (id) => {
      const { classifier, fixtures } = all.small.reports[id];
      const source = all.small.kits[id].file(classifier.file);
      expect([id, classifier.sha256]).toEqual([id, sha256(source)]);
      const { classify } = (await import(`data:text/javascript;base64,${source.toString("base64")}`)) as {
        classify: (expression: string, response: unknown) => unknown;
      };
      for (const { request, response, result } of fixtures) {
        const answer = response && { ...response, body: new TextEncoder().encode(response.body) };
        expect(classify(request.expression, answer)).toEqual(result);
      }
    },
  );

  it("C14: the packed classifier takes no code from HTTP 200 alone: status and code must both be right", async () => {
    const source = all.small.kits["clarification"].file("node/classify.mjs");
    const { classify } = (await import(`data:text/javascript;base64,${source.toString("base64")}`)) as {
      classify: (expression: string, response: unknown) => { outcome: string };
    };
    const each = fixture(all.small.reports["clarification"], "resolved-valid");
    const judge = (change: (envelope: Record<string, Record<string, unknown>>) => void) => {
      const envelope = JSON.parse(each.response?.body ?? "") as Record<string, Record<string, unknown>>;
      change(envelope);
      const body = new TextEncoder().encode(JSON.stringify(envelope));
      return classify(each.request.expression, { status: 200, contentType: "application/json", body });
    };
    expect(judge(() => undefined)).toEqual(each.expected);
    const conceptOf = ({ data }: Record<string, Record<string, unknown>>) =>
      data?.["concept"] as Record<string, unknown>;
    const spoil: ((envelope: Record<string, Record<string, unknown>>) => void)[] = [
      (envelope) => delete conceptOf(envelope)["code"],
      (envelope) => (conceptOf(envelope)["code"] = ""),
      (envelope) => (conceptOf(envelope)["code"] = 7),
      (envelope) => delete conceptOf(envelope)["registryVersion"],
      (envelope) => (conceptOf(envelope)["registryVersion"] = ""),
      ({ data }) => Object.assign(data ?? {}, { status: "abstained" }),
      ({ data }) => Object.assign(data ?? {}, { status: "Resolved" }),
      ({ data }) => Object.assign(data ?? {}, { concept: null }),
      ({ data }) => Object.assign(data ?? {}, { reason: "ambiguous_expression" }),
      ({ data }) => Object.assign(data ?? {}, { input: { expression: "another" } }),
      (envelope) => Object.assign(envelope, { error: { code: "x", message: "y" } }),
      (envelope) => Object.assign(envelope, { data: null }),
    ];
    for (const change of spoil)
      expect([String(change), judge(change)]).toEqual([String(change), { outcome: "malformed" }]);
  });
});

describe("the studio", () => {
  it("F19: its adapters need nothing from outside: the sources import the standard library and their own files", () => {
    const { studio, kits } = all.starter;
    expect(studio.adapters.dependencies).toEqual([]);
    const standard = /^(?:argparse|base64|binascii|codecs|hashlib|http(?:\.client)?|io|json|math|os|pathlib|re|socket|ssl|struct|sys|threading|time|types|typing|urllib(?:\.\w+)?|unicodedata)$/; // prettier-ignore
    for (const id of RECIPES) {
      const kit = kits[id];
      expect((kit.json("manifest.json") as IntegrationKit).dependencies).toEqual([]);
      const imported = ["node/handoff.mjs", "node/classify.mjs", "node/log-proof.mjs", "node/verifier.mjs"].flatMap(
        (file) =>
          [...kit.text(file).matchAll(/(?:from|import\(?|require\()\s*["']([^"']+)["']/g)].map(([, from = ""]) => from),
      );
      expect(imported.length).toBeGreaterThan(2);
      expect([id, imported.filter((from) => !/^node:|^\.\//.test(from))]).toEqual([id, []]);
      const pythons = kit.text("python/handoff.py") + kit.text("python/log_proof.py");
      const modules = [...pythons.matchAll(/^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))/gm)] // prettier-ignore
        .flatMap(([, from, names = ""]) => (from === undefined ? names.split(",").map((one) => one.trim().split(" ")[0] ?? "") : [from])); // prettier-ignore
      expect(modules.length).toBeGreaterThan(2);
      expect([id, modules.filter((from) => !standard.test(from))]).toEqual([id, []]);
      expect(kit.text("powershell/handoff.ps1")).not.toMatch(/Import-Module|Install-|#Requires\s+-Modules|Invoke-Expression|\biex\b/i); // prettier-ignore
      // The names of all programs are in it, for its proof: they are no calls.
      expect(kit.text("curl/handoff.sh").replaceAll(/^(?:#|PROGRAMS=|FOLDERS=).*$/gm, "")).not.toMatch(
        /\b(?:jq|python3?|node|perl|wget|npm|pip)\b/,
      );
      expect(kit.names.filter((file) => /package(?:-lock)?\.json|requirements|node_modules|\.psd1|pyproject/.test(file))).toEqual([]); // prettier-ignore
    }
  });

  it.each(WHOLE)(
    "O-41 F26: with the %s registry lists the files of each kit and the ZIP, sizes and digests right",
    (name) => {
      const { studio, kits } = all[name];
      for (const { id, archive, files, kit: url } of studio.recipes) {
        const kit = kits[id];
        expect([id, files]).toEqual([
          id,
          FILES.map((path) => ({ path, bytes: kit.file(path).length, sha256: sha256(kit.file(path)) })),
        ]);
        expect(archive).toEqual({
          path: url.slice(ORIGIN.length),
          bytes: kit.zip.length,
          sha256: sha256(kit.zip),
          mediaType: "application/zip",
        });
      }
    },
  );
});
