/**
 * The golden trees: small inputs and the dist they must give, byte for byte. A missing and an
 * unexpected file both fail. `UPDATE_GOLDEN=1` rewrites them, never in CI.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRelease } from "../../generator/api.ts";
import { buildInto, type BuildOptions, ownContent } from "../support/build.ts";
import { folder } from "../support/command.ts";
import { textsIn } from "../support/files.ts";
import { registryIn } from "../support/registry.ts";
import { ORIGIN } from "../support/release.ts";

const golden = path.resolve(import.meta.dirname, "../golden");
const owner = path.join(golden, "owner");
const isUpdate = process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined;

const out = folder({});
const at = (name: string): string => path.join(out, name);

function build(name: string, registry: string, options: BuildOptions = {}): Promise<void> {
  // The sources change with every commit; what is golden is the form.
  const sources = [{ path: "runtime/main.js", bytes: 0, sha256: "0".repeat(64) }];
  return buildInto(at(name), registryIn(registry), { ...options, sources });
}

/** What the other tree shows in the same form; of an owner's release, SHA256SUMS has its bytes. */
const IN_BOTH =
  /^(?:assets\/(?!site\.\w+\.css)|schemas\/|(?:de\/)?api-reference[./]|api\/v1\/integration-|openapi\.json$|registry\.\w+$)/;

/** Pages that are rendered when they are asked for. */
const PAGES = [
  "/concepts",
  "/concepts?q=lion",
  "/concepts?q=Tier",
  "/concepts/Z-1",
  "/concepts/Z-2",
  "/concepts/Z-4",
  "/concepts/Z-3",
  "/resolve",
  "/resolve?expression=big+cat",
  "/resolve?expression=Big++cat",
  "/resolve?expression=ticket&language=en-GB",
  "/resolve?expression=x&language=en_US",
];

async function writePages(): Promise<void> {
  const { fetch: ask, close } = openRelease(at("owner"));
  mkdirSync(at("pages"));
  for (const target of PAGES.flatMap((page) => [page, `/de${page}`])) {
    const page = await (await ask(new Request(ORIGIN + target))).text();
    const name = `${target.slice(1).replaceAll(/[/?=&+]/g, "-")}.html`;
    writeFileSync(path.join(at("pages"), name), page.replaceAll(/ nonce="[^"]*"/g, ' nonce=""'));
  }
  close();
}

beforeAll(async () => {
  await build("dist", path.join(golden, "registry"));
  await build("owner", path.join(owner, "registry"), { content: ownContent(path.join(owner, "content")) });
  await writePages();
  for (const name of Object.keys(textsIn(at("owner")))) if (IN_BOTH.test(name)) rmSync(path.join(at("owner"), name));
});
afterAll(() => rmSync(out, { recursive: true }));

it.each([
  ["of a registry under the package's own content", "dist", path.join(golden, "dist")],
  ["of an owner's site in two languages, with changes, mappings and notes", "owner", path.join(owner, "dist")],
  ["of the pages that this site renders when they are asked for", "pages", path.join(owner, "pages")],
])("the golden tree %s is what the build gives, byte for byte, no file more or less", (_what, name, expected) => {
  if (isUpdate) {
    rmSync(expected, { recursive: true, force: true });
    cpSync(at(name), expected, { recursive: true });
  }
  expect(textsIn(at(name))).toEqual(textsIn(expected));
});
