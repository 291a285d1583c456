/** The studio's choice of kits. */
import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { FIXTURE_OUTCOMES } from "../../../generator/contract/integration.ts";
import { type RecipeId } from "../../../runtime/contract/recipe.ts";
import { kitPath } from "../../../runtime/contract/policy.ts";
import { noChromium, visit } from "../chromium.ts";
import { starterRegistry } from "../../support/documents.ts";
import { sha256 } from "../../support/sha256.ts";
import {
  type Kit,
  zipOf,
  fixtureOf,
  open,
  shown,
  choose,
  textOf,
  ALL_RIGHT,
  UNREAD,
  NOT_PUBLISHED,
  shownFixtures,
  fixturesAsDeclared,
  shownSources,
  sourcesOf,
  shownFiles,
  filesOf,
  stand,
  FIRST,
  gate,
  release,
} from "./studio.ts";

describe.skipIf(noChromium)("the studio's choice of kits", () => {
  const at = stand(starterRegistry);
  const SECOND: RecipeId = "workflow-routing";
  const THIRD: RecipeId = "clarification";

  it("F17: shows the recipe that was chosen last, whichever kit comes first", async () => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    const held = gate();
    await page.route(`**${kitPath(SECOND)}`, async (route) => {
      await held.wait;
      await route.continue();
    });
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    // A language chosen meanwhile is kept for the kit that is coming.
    await page.getByRole("radio", { name: "node", exact: true }).check();
    await choose(page, at.kit(THIRD));
    await release(page, `**${kitPath(SECOND)}`, held);
    expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(at.kit(THIRD)));
    expect(await shownFiles(page)).toEqual(filesOf(at.kit(THIRD)));
    expect(await shownSources(page)).toEqual(sourcesOf(at.kit(THIRD), "node"));
    expect(await page.getByRole("link", { name: "Download the kit" }).getAttribute("href")).toBe(kitPath(THIRD));
    expect(offences).toEqual([]);
  });

  it("F17: goes through the recipes by one key held down, and ends at the last", async () => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await page.getByRole("radio", { name: at.kit(FIRST).title, exact: true }).focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowDown");
    const last = at.kits.at(-1) as Kit;
    await shown(page, last);
    expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(last));
    expect(await page.getByRole("link", { name: "Download the kit" }).getAttribute("href")).toBe(last.path);
    expect(offences).toEqual([]);
  });

  /** Serves something in the place of the second kit. */
  async function withSecond(
    answer: (route: Route, kit: Kit) => Promise<void>,
  ): Promise<{ page: Page; offences: string[] }> {
    const { page, offences } = await visit(at.service.port);
    await page.route(`**${kitPath(SECOND)}`, (route) => answer(route, at.kit(SECOND)));
    await open(page, at.kit(FIRST));
    return { page, offences };
  }

  /** What of the first kit is still on the page. */
  async function leftOver(page: Page): Promise<string[]> {
    const { files } = at.kit(FIRST);
    const [fixtures, sources, rows] = [await shownFixtures(page), await shownSources(page), await shownFiles(page)];
    const bodies = new Set(FIXTURE_OUTCOMES.map((id) => fixtureOf(at.kit(FIRST), id).response?.body));
    return [
      ...fixtures.filter(({ body }) => bodies.has(body)).map(({ id }) => `fixture ${id}`),
      ...sources.filter(({ text }) => text.includes(FIRST)).map(({ name }) => name),
      ...rows.filter(([, , digest = ""]) => digest === sha256(files.get("SHA256SUMS") ?? Buffer.of())).flat(),
    ];
  }

  type Answer = (route: Route, kit: Kit) => Promise<void>;
  const unreadable: Readonly<Record<string, Answer>> = {
    "is not there": (route) => route.fulfill({ status: 404, contentType: "application/json", body: "{}" }),
    "is refused, with the bytes of a kit": (route, { zip }) => route.fulfill({ status: 500, body: zip }),
    "breaks off before it starts": (route) => route.abort(),
    "is empty": (route) => route.fulfill({ status: 200, body: "" }),
    "is a page": (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Sign in</h1>" }),
    "is cut at its end": (route, { zip }) => route.fulfill({ status: 200, body: zip.subarray(0, -1) }),
    "is half of one": (route, { zip }) => route.fulfill({ status: 200, body: zip.subarray(0, zip.length / 2) }),
    "is deflated": async (route, { files }) => route.fulfill({ status: 200, body: await zipOf(files, true) }),
  };
  const useless: Readonly<Record<string, Answer>> = {
    "has nothing in it": async (route) => route.fulfill({ status: 200, body: await zipOf(new Map()) }),
    "has no fixtures": async (route, { files }) => {
      const rest = [...files].filter(([name]) => !name.startsWith("fixtures/"));
      await route.fulfill({ status: 200, body: await zipOf(new Map(rest)) });
    },
    "has a fixture that is no JSON": async (route, { files }) => {
      const other = new Map(files).set("fixtures/ambiguous.json", Buffer.from("no JSON"));
      await route.fulfill({ status: 200, body: await zipOf(other) });
    },
    "has a fixture that is none": async (route, { files }) => {
      const other = new Map(files).set("fixtures/ambiguous.json", Buffer.from("{}\n"));
      await route.fulfill({ status: 200, body: await zipOf(other) });
    },
  };
  it.each(Object.entries({ ...unreadable, ...useless }))(
    "F18: a kit that %s is said to be so, and nothing of another stays",
    async (name, answer) => {
      const { page, offences } = await withSecond(answer);
      await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
      await page
        .locator("#inspection")
        .getByText(new RegExp(`^(?:${UNREAD}|${NOT_PUBLISHED})$`))
        .waitFor()
        .catch(() => undefined);
      const says = [await textOf(page, "#proof"), await textOf(page, "#inspection")];
      // One that can be unpacked may be inspected still.
      expect.soft(name in unreadable ? [UNREAD] : [UNREAD, NOT_PUBLISHED]).toContain(says[1]);
      if (says[1] === UNREAD) {
        expect.soft(says[0]).toBe(UNREAD);
        for (const place of ["#fixtures", "#sources", "#files"]) {
          expect.soft([place, await page.locator(place).innerHTML()]).toEqual([place, ""]);
        }
      }
      expect.soft(says[0]).not.toBe(ALL_RIGHT);
      expect.soft(await leftOver(page)).toEqual([]);
      expect.soft(offences.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);

      // Another language changes nothing, and a kit that can be had is shown again.
      await page.getByRole("radio", { name: "curl", exact: true }).check();
      await choose(page, at.kit(THIRD));
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(at.kit(THIRD)));
      expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
      expect(await shownSources(page)).toEqual(sourcesOf(at.kit(THIRD), "curl"));
    },
  );

  it("F17: a kit with one byte changed, wherever it is, is not taken for the published one", async () => {
    let body = Buffer.of();
    const { page, offences } = await withSecond((route) => route.fulfill({ status: 200, body }));
    const { zip, title } = at.kit(SECOND);
    const end = zip.length - 22;
    const central = zip.readUInt32LE(end + 16);
    const positions = [
      ...[4, 8, 18, 26, 30, 60].map((offset) => offset),
      ...[0, 10, 20, 24, 25, 28, 29, 30, 42, 43, 46, 80].map((offset) => central + offset),
      ...[0, 8, 10, 11, 12, 16, 17, 18, 19, 20].map((offset) => end + offset),
      ...Array.from({ length: 40 }, (_, i) => Math.floor(((i + 0.5) * zip.length) / 40)),
      zip.indexOf('{"recipeId"'),
      zip.indexOf('"expected"') + 1,
      zip.indexOf('"response"') + 1,
    ].filter((position) => position >= 0);
    const stuck: string[] = [];
    const first = page.getByRole("radio", { name: at.kit(FIRST).title, exact: true });
    for (const [i, position] of positions.entries()) {
      body = Buffer.from(zip);
      body[position] = (body[position] ?? 0) ^ (i % 3 === 0 ? 0x80 : 0x01);
      await page.getByRole("radio", { name: title, exact: true }).check();
      const told = await page
        .locator("#inspection")
        .getByText(new RegExp(`^(?:${UNREAD}|${NOT_PUBLISHED})$`))
        .waitFor()
        .then(
          () => true,
          () => false,
        );
      const left = await leftOver(page);
      if (!told || left.length > 0) stuck.push(`byte ${position}: ${await textOf(page, "#inspection")} ${left.join()}`);
      await first.check();
      await shown(page, at.kit(FIRST));
    }
    expect.soft(stuck).toEqual([]);
    expect(offences).toEqual([]);
  });

  it("F17: a kit with another program says which file differs, and shows the digest of what it has", async () => {
    const other = Buffer.from("#!/usr/bin/env python3\nprint('all fixtures as declared')\n");
    const { page } = await withSecond(async (route, { files }) =>
      route.fulfill({ status: 200, body: await zipOf(new Map(files).set("python/handoff.py", other)) }),
    );
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    await page.locator("#inspection").getByText(NOT_PUBLISHED, { exact: true }).waitFor();
    const rows = await shownFiles(page);
    expect(rows.filter(([, , , compared]) => compared === "differs")).toEqual([
      ["python/handoff.py", String(other.length), sha256(other), "differs"],
    ]);
    expect((await shownSources(page))[0]).toMatchObject({
      digest: `${other.length} bytes, SHA-256 ${sha256(other)}`,
      text: other.toString(),
    });
    expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
  });

  it("F17: a kit whose list fits its files is still not the published one", async () => {
    const { page } = await withSecond(async (route, { files }) => {
      const other = new Map(files).set("python/handoff.py", Buffer.from("print(1)\n"));
      const sums = [...other]
        .filter(([name]) => name !== "SHA256SUMS")
        .map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
      await route.fulfill({ status: 200, body: await zipOf(other.set("SHA256SUMS", Buffer.from(sums.join("")))) });
    });
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    await page.locator("#inspection").getByText(NOT_PUBLISHED, { exact: true }).waitFor();
    expect((await shownFiles(page)).filter(([, , , compared]) => compared === "differs")).toEqual([]);
  });

  it("F17: a kit with a file that is not listed says which", async () => {
    const { page } = await withSecond(async (route, { files }) =>
      route.fulfill({ status: 200, body: await zipOf(new Map(files).set("extra.sh", Buffer.from("exit 0\n"))) }),
    );
    await page.getByRole("radio", { name: at.kit(SECOND).title, exact: true }).check();
    await page.locator("#inspection").getByText(NOT_PUBLISHED, { exact: true }).waitFor();
    const compared = new Map((await shownFiles(page)).map(([name, , , text]) => [name, text]));
    expect(compared.get("SHA256SUMS")).toBe("the list itself");
    expect(compared.get("extra.sh")).not.toBe("the list itself");
  });

  it("F17: shows the recipe whose button is chosen after the page was left and is come back to", async () => {
    const { page } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await choose(page, at.kit(THIRD));
    for (const leave of [() => page.reload(), () => page.goto("/answers").then(() => page.goBack())]) {
      await leave();
      await page.locator("#files table").waitFor();
      const id = await page.locator("input[name=recipe]:checked").inputValue();
      const kit = at.kit(id as RecipeId);
      await shown(page, kit);
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
      expect(await page.getByRole("link", { name: "Download the kit" }).getAttribute("href")).toBe(kit.path);
    }
  });
});
