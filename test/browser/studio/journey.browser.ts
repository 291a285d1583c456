/** The journey through the studio. */
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  type Fixture,
  FIXTURE_OUTCOMES,
  type FixtureOutcome,
  HANDOFF_LANGUAGES,
  type IntegrationStudio,
} from "../../../generator/contract/integration.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { kitPath } from "../../../runtime/contract/policy.ts";
import { noChromium, visit } from "../chromium.ts";
import { starterRegistry } from "../../support/documents.ts";
import { describeResult } from "../../support/kits.ts";
import { sha256 } from "../../support/sha256.ts";
import {
  STUDIO,
  unpack,
  fixtureOf,
  open,
  shown,
  choose,
  fixtureIn,
  openFixture,
  textOf,
  ALL_RIGHT,
  shownFixtures,
  fixturesAsDeclared,
  shownSources,
  sourcesOf,
  shownFiles,
  filesOf,
  watch,
  stand,
  FIRST,
} from "./studio.ts";

describe.skipIf(noChromium)("the journey through the studio", () => {
  const at = stand(starterRegistry);

  /** One change to each fixture, and what comes out then. */
  const changes: Readonly<Record<FixtureOutcome, (fixture: Locator, declared: Fixture) => Promise<string>>> = {
    "resolved-valid": async (fixture, { expected, response }) => {
      const [code, version] = "code" in expected ? [expected.code, expected.registryVersion] : ["", ""];
      await fixture.getByLabel("Body").fill((response?.body ?? "").replace(`"${code}"`, '"C-OTHER"'));
      return `resolved-valid C-OTHER ${version}`;
    },
    unknown: async (fixture) => {
      await fixture.getByLabel("HTTP status").fill("500");
      return "service-error";
    },
    ambiguous: async (fixture) => {
      await fixture.getByLabel("Content-Type").fill("text/html");
      return "malformed";
    },
    malformed: async (fixture) => {
      await fixture.getByLabel("A whole answer came").uncheck();
      expect(await fixture.getByLabel("Body").isVisible()).toBe(false);
      return "service-error";
    },
    "request-error": async (fixture) => {
      await fixture.getByLabel("HTTP status").fill("200");
      return "malformed";
    },
    "service-error": async (fixture, { response }) => {
      if (response !== null) {
        await fixture.getByLabel("HTTP status").fill("404");
        return "request-error";
      }
      expect(await fixture.getByLabel("Body").isVisible()).toBe(false);
      await fixture.getByLabel("A whole answer came").check();
      expect(await fixture.getByLabel("Body").isVisible()).toBe(true);
      return "malformed";
    },
  };

  it.each(RECIPE_IDS)("F17 F18: %s: shows the kit that is served, and sends nothing but for it", async (id) => {
    const { page, offences } = await visit(at.service.port);
    const sent = watch(page);
    await open(page, at.kit(FIRST));
    if (id !== FIRST) await choose(page, at.kit(id));
    const kit = at.kit(id);

    expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
    expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);

    for (const language of HANDOFF_LANGUAGES) {
      await page.getByRole("radio", { name: language, exact: true }).check();
      await shown(page, kit);
      expect(await shownSources(page)).toEqual(sourcesOf(kit, language));
    }
    expect(new Set(HANDOFF_LANGUAGES.flatMap((one) => sourcesOf(kit, one)).map(({ name }) => name)).size).toBe(9);

    expect(await shownFiles(page)).toEqual(filesOf(kit));
    expect(await textOf(page, "#inspection")).toBe(
      `${kit.files.size} files: every digest computed here is the listed one, and that of the ZIP is the published one.`,
    );
    expect(sha256(kit.zip)).toBe(kit.sha256);
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: kit.title, exact: true }) });
    expect(await row.locator("td").allTextContents()).toEqual([String(kit.zip.length), kit.sha256]);

    expect(sent).toEqual([...new Set([kitPath(FIRST), kit.path])].map((path) => `GET ${path}`));
    expect(offences).toEqual([]);
  });

  it.each(RECIPE_IDS)("F18: %s: a change is seen to fail, and counted, until it is taken back", async (id) => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    if (id !== FIRST) await choose(page, at.kit(id));
    const sent = watch(page);
    const kit = at.kit(id);
    const declared = fixturesAsDeclared(kit);
    for (const [i, outcome] of FIXTURE_OUTCOMES.entries()) {
      const fixture = await openFixture(page, outcome);
      const found = await changes[outcome](fixture, fixtureOf(kit, outcome));
      const before = describeResult(fixtureOf(kit, outcome).expected);
      expect(await fixture.locator(".verdict").innerText()).toBe(`${found}, but ${before} is declared`);
      expect(await textOf(page, "#proof")).toBe(`${5 - i} of 6 fixtures are as declared.`);
      const all = await shownFixtures(page);
      expect(all.map(({ holds }) => holds)).toEqual(FIXTURE_OUTCOMES.map((_, j) => j > i));
      expect(all.slice(i + 1)).toEqual(declared.slice(i + 1));
    }
    for (const [i, outcome] of FIXTURE_OUTCOMES.entries()) {
      await fixtureIn(page, outcome).getByRole("button", { name: "As it was" }).click();
      expect((await shownFixtures(page)).slice(0, i + 1)).toEqual(declared.slice(0, i + 1));
      expect(await textOf(page, "#proof")).toBe(i === 5 ? ALL_RIGHT : `${i + 1} of 6 fixtures are as declared.`);
    }
    expect([sent, offences]).toEqual([[], []]);
  });

  it("F18: judges what is typed as the classifier does: strictly, and by its rules alone", async () => {
    const { page } = await visit(at.service.port);
    const kit = at.kit(FIRST);
    await open(page, kit);
    const { response, expected } = fixtureOf(kit, "resolved-valid");
    const good = response?.body ?? "";
    const valid = describeResult(expected);
    const fixture = await openFixture(page, "resolved-valid");
    const bodies: readonly (readonly [string, string, string])[] = [
      ["white space", `  ${good}  `, valid],
      ["a member twice", good.replace('"error":', '"error":null,"error":'), "malformed"],
      ["a member twice, once escaped", good.replace('"error":', String.raw`"\u0065rror":null,"error":`), "malformed"],
      ["a member more", good.replace('"error":', '"authorized":true,"error":'), "malformed"],
      ["half a pair", good.replace('"code":"', String.raw`"code":"\ud800`), "malformed"],
      ["a byte order mark", `\uFEFF${good}`, "malformed"],
      ["nothing", "", "malformed"],
      ["too long", good.trimEnd().padEnd(262_145), "malformed"],
      ["abstained with a code", good.replace('"resolved"', '"abstained"'), "malformed"],
      ["another expression", good.replace('"input":{"expression":"', '"input":{"expression":"x'), "malformed"],
      ["an empty code", good.replace(/"code":"[^"]*"/, '"code":""'), "malformed"],
    ];
    for (const [name, body, found] of bodies) {
      await fixture.getByLabel("Body").fill(body);
      const says = found === valid ? `${found}, as declared` : `${found}, but ${valid} is declared`;
      expect([name, await fixture.locator(".verdict").innerText()]).toEqual([name, says]);
    }
    await fixture.getByRole("button", { name: "As it was" }).click();
    for (const [type, found] of [
      ["Application/JSON ; charset=utf-8", valid],
      ["application/json+x", "malformed"],
      ["", "malformed"],
    ] as const) {
      await fixture.getByLabel("Content-Type").fill(type);
      expect((await fixture.locator(".verdict").innerText()).startsWith(`${found}, `)).toBe(true);
    }
    await fixture.getByRole("button", { name: "As it was" }).click();
    for (const [status, found] of [
      ["", "service-error"],
      ["201", "service-error"],
      ["302", "service-error"],
      ["400", "request-error"],
      ["499", "request-error"],
    ] as const) {
      await fixture.getByLabel("HTTP status").fill(status);
      expect((await fixture.locator(".verdict").innerText()).startsWith(`${found}, `)).toBe(true);
    }
  });

  it.each(RECIPE_IDS)("F17: %s: what is downloaded is what was shown, and checks at home", async (id) => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    if (id !== FIRST) await choose(page, at.kit(id));
    const kit = at.kit(id);
    const listed = page.getByRole("rowheader", { name: kit.title, exact: true }).getByRole("link");
    for (const link of [page.getByRole("link", { name: "Download the kit" }), listed]) {
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      const bytes = readFileSync(await download.path());
      expect(download.suggestedFilename()).toMatch(new RegExp(`${id}\\.zip$`));
      expect([sha256(bytes), bytes.equals(kit.zip)]).toEqual([kit.sha256, true]);
      const { files, sums } = await unpack(bytes);
      expect([...sums.keys()].sort()).toEqual([...files.keys()].filter((name) => name !== "SHA256SUMS").sort());
      for (const [name, digest] of sums) expect([name, sha256(files.get(name) ?? Buffer.of())]).toEqual([name, digest]);
      expect(
        (await shownFiles(page)).filter(([name = ""]) => sums.has(name)).map(([name, , sum]) => [name, sum]),
      ).toEqual([...files.keys()].filter((name) => sums.has(name)).map((name) => [name, sums.get(name)]));
    }
    expect(new URL(page.url()).pathname).toBe(STUDIO);
    expect(offences).toEqual([]);
  });

  it("F17: leads through the six steps in their order, which the document has too", async () => {
    const { page } = await visit(at.service.port);
    const { journey } = (await at.service.send("GET", paths.studio)).json() as IntegrationStudio;
    await open(page, at.kit(FIRST));
    expect(await page.locator("h2").allInnerTexts()).toEqual(journey.map(({ step, title }) => `${step} ${title}`));
    expect(await page.evaluate(`[...document.querySelectorAll("h2")].map(({ id }) => id)`)).toEqual([
      "understand",
      "select",
      "prove",
      "generate",
      "inspect",
      "download",
    ]);
    expect(await page.locator("[aria-current=page]").allInnerTexts()).toEqual(["Studio"]);
  });

  it("keeps the language that was chosen when another recipe is", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await page.getByRole("radio", { name: "curl", exact: true }).check();
    await choose(page, at.kit("clarification"));
    expect(await shownSources(page)).toEqual(sourcesOf(at.kit("clarification"), "curl"));
  });

  it("copies a program as it is in the kit", async () => {
    const { page } = await visit(at.service.port, { permissions: ["clipboard-read", "clipboard-write"] });
    await open(page, at.kit(FIRST));
    await page.locator("#sources").getByRole("button", { name: "Copy" }).first().click();
    await page.locator("#sources").getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(at.kit(FIRST).files.get("python/handoff.py")?.toString());
  });
});
