/** The studio over registries that are hostile or empty, and over plain HTTP. */
import { describe, expect, it } from "vitest";
import { FIXTURE_OUTCOMES } from "../../../generator/contract/integration.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "../../support/registry.ts";
import { launch, noChromium, visit } from "../chromium.ts";
import { objections } from "../judge.ts";
import { starterRegistry } from "../../support/documents.ts";
import { describeResult } from "../../support/kits.ts";
import {
  STUDIO,
  fixtureOf,
  open,
  choose,
  fixtureIn,
  openFixture,
  overflow,
  textOf,
  ALL_RIGHT,
  shownFixtures,
  fixturesAsDeclared,
  shownSources,
  sourcesOf,
  shownFiles,
  filesOf,
  faultsOf,
  stand,
  FIRST,
} from "./studio.ts";

/** Expressions that would run, turn or tear, in each language that a recipe prefers. */
const MARKUP = '<img src=x onerror="ran=1"></p></script><script>ran=1</script>';
const hostile: RegistryFiles = {
  registry: { name: "</title><script>ran=1</script>", languages: ["ar", "en", "he"] },
  concepts: [
    concept(
      "H-ONE",
      [expression("ar", `مرحبا 😀 ${MARKUP}`), expression("en", "shared <b>one</b>"), expression("he", "שלום 👩‍💻")],
      { name: `${MARKUP}مرحبا`, definition: `]]> --> ${MARKUP} \\ " '`, domain: "hostile" },
    ),
    concept("H-TWO", [expression("en", "shared <b>one</b>")], { domain: "hostile" }),
  ],
};

describe.skipIf(noChromium).each([
  { name: "nasty", files: nasty },
  { name: "hostile", files: hostile },
  { name: "empty", files: empty },
])("the studio over the $name registry", ({ name, files }) => {
  const at = stand(() => checkedRegistry(files));

  it("F18: shows data as text only, in its own language and direction, within its policy", async () => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    if (name === "hostile") expect(fixtureOf(at.kit(FIRST), "resolved-valid").request.expression).toContain(MARKUP);
    for (const kit of at.kits) {
      await choose(page, kit);
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
      expect(await textOf(page, "#proof")).toBe(ALL_RIGHT);
      expect(await shownFiles(page)).toEqual(filesOf(kit));
      for (const id of FIXTURE_OUTCOMES) {
        const { request } = fixtureOf(kit, id);
        if (request.expression === "") continue;
        const direction = await page.evaluate(
          `getComputedStyle(document.querySelector("#fixtures section[aria-label='Fixture ${id}'] bdi")).direction`,
        );
        expect([request.expression, direction]).toEqual([
          request.expression,
          /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(request.expression) ? "rtl" : "ltr",
        ]);
      }
    }
    await choose(page, at.kit("clarification"));
    for (const id of FIXTURE_OUTCOMES) await openFixture(page, id);
    expect(
      await page.evaluate(`[
        typeof ran,
        ...[...document.querySelectorAll(\`
          main :is(img, script, style, iframe, b), [style], style, script:not([src]), :is(script, link[rel=stylesheet]):not([nonce])
        \`)].map(({ outerHTML }) => outerHTML),
        ...[...document.querySelectorAll("*")].flatMap((element) => [...element.attributes])
          .filter(({ name }) => name.startsWith("on")).map(({ name }) => name),
      ]`),
    ).toEqual(["undefined"]);
    expect(await faultsOf(page, `registry-${name}`)).toEqual([]);
    expect(offences).toEqual([]);
  });

  it("F18: says where a fixture is an illustration, and only there", async () => {
    const { page } = await visit(at.service.port);
    await page.goto(STUDIO);
    const drawn = at.kits.flatMap((kit) => FIXTURE_OUTCOMES.map((id) => fixtureOf(kit, id).drawnFrom));
    if (name === "empty") expect(new Set(drawn)).toEqual(new Set(["illustration"]));
    expect(await page.getByText("Not ready.").count()).toBe(name === "empty" ? 1 : 0);
    for (const kit of at.kits) {
      await choose(page, kit);
      for (const id of FIXTURE_OUTCOMES) {
        const says = await fixtureIn(page, id).getByText("The concept is an illustration, made up.").count();
        expect([kit.id, id, says]).toEqual([kit.id, id, fixtureOf(kit, id).drawnFrom === "illustration" ? 1 : 0]);
      }
    }
  });

  it("F20: resolves live", async () => {
    const { page, offences } = await visit(at.service.port);
    await open(page, at.kit(FIRST));
    await page.getByLabel("Turn live resolution on").check();
    const { request, expected, drawnFrom } = fixtureOf(at.kit(FIRST), "resolved-valid");
    await page.getByLabel("Expression", { exact: true }).fill(request.expression);
    await page.getByLabel("Language (optional)").fill(request.language ?? "");
    await page.getByRole("button", { name: "Ask once" }).click();
    await page.locator("#live-outcome .verdict").waitFor();
    const found = drawnFrom === "illustration" ? "unknown" : describeResult(expected);
    expect(await textOf(page, "#live-outcome .verdict")).toBe(found);
    expect(offences).toEqual([]);
  });
});

describe.skipIf(noChromium)("the studio over plain HTTP", () => {
  const at = stand(starterRegistry);

  it("F18 F20: says that digests are the published ones, and does everything else", async () => {
    const context = await (await launch()).newContext({ viewport: { width: 1280, height: 800 } });
    try {
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
      // A name that is not the machine itself: the page gets no crypto.subtle.
      await context.route("http://studio.test/**", async (route) => {
        const { pathname, search } = new URL(route.request().url());
        await route.fulfill({
          response: await route.fetch({ url: `http://127.0.0.1:${at.service.port}${pathname}${search}` }),
        });
      });
      await page.goto(`http://studio.test${STUDIO}`);
      const kit = at.kit("audit-provenance");
      await choose(page, at.kit(FIRST));
      await choose(page, kit);
      expect(await page.evaluate("[isSecureContext, typeof crypto.subtle, typeof navigator.clipboard]")).toEqual([
        false,
        "undefined",
        "undefined",
      ]);
      expect(await textOf(page, "#inspection")).toBe(
        "This browser computes digests only over HTTPS, so these are the published ones.",
      );
      expect(await shownFixtures(page)).toEqual(fixturesAsDeclared(kit));
      expect((await shownFiles(page)).map(([name, bytes, digest]) => [name, bytes, digest])).toEqual(
        filesOf(kit).map(([name, bytes, digest]) => [name, bytes, name === "SHA256SUMS" ? "" : digest]),
      );
      // What was not computed is not said to agree.
      expect.soft((await shownFiles(page)).filter(([, , , compared]) => compared === "as listed")).toEqual([]);
      await page.getByRole("radio", { name: "node", exact: true }).check();
      await page.locator("#sources").getByText("node/handoff.mjs", { exact: true }).waitFor();
      expect(await shownSources(page)).toEqual(sourcesOf(kit, "node"));
      const fixture = await openFixture(page, "unknown");
      await fixture.getByLabel("HTTP status").fill("500");
      expect(await textOf(page, "#proof")).toBe("5 of 6 fixtures are as declared.");
      await page.getByLabel("Turn live resolution on").check();
      await page.getByLabel("Expression", { exact: true }).fill("refund request");
      await page.getByRole("button", { name: "Ask once" }).click();
      await page.locator("#live-outcome .verdict").waitFor();
      expect(await textOf(page, "#live-outcome .verdict")).toBe("resolved-valid C-DFM7YZ 2026.11.1");
      expect([...(await objections(page)), ...(await overflow(page))]).toEqual([]);
      expect(errors).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
