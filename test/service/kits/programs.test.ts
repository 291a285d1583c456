/**
 * A kit whose folders hold anything other than its programs is not proven, by Node and the shell
 * here; `test/external` asks every interpreter.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { HANDOFF_FILES } from "../../../generator/contract/integration.ts";
import { copyKit } from "../../support/handoffs.ts";
import { type UnpackedKit, unpackKits } from "../../support/kits.ts";
import { empty } from "../../support/nasty.ts";
import { execute } from "../../support/npx.ts";
import { checkedRegistry } from "../../support/registry.ts";

const CLIENTS: readonly (readonly [command: string, program: string])[] = [
  [process.execPath, "node/handoff.mjs"],
  ["sh", "curl/handoff.sh"],
];
const REFUSED = `programs: the folders of the kit do not hold exactly ${HANDOFF_FILES.join(" ")}\n`;

let kit: UnpackedKit | undefined;
beforeAll(async () => {
  const unpacked = await unpackKits(checkedRegistry(empty), "https://registry.example");
  kit = unpacked.kits[1];
  return () => unpacked.remove();
});

const add =
  (name: string) =>
  (root: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), "");
  };

describe("prove", () => {
  it("exits 0 for a kit as it was downloaded", async () => {
    const { root = "" } = kit ?? {};
    for (const [command, program] of CLIENTS)
      expect(await execute(command, [program, "prove"], { cwd: root })).toMatchObject({ code: 0, stderr: "" });
  });

  it.each<[string, (root: string) => void]>([
    ["a module more for Python", add("python/argparse.py")],
    ["a file more next to it", add("node/classify2.mjs")],
    ["a hidden file", add("curl/.profile")],
    ["a folder more", add("powershell/Modules/Own/Own.psm1")],
    ["a name with a line feed", add("node/a\nnode/b")],
    ["a program less", (root) => rmSync(path.join(root, "powershell/handoff.ps1"))],
    ["a folder less", (root) => rmSync(path.join(root, "python"), { recursive: true })],
  ])("is refused of a kit with %s", async (_what, change) => {
    const copy = copyKit(kit?.root ?? "");
    change(copy.root);
    const said = [];
    for (const [command, program] of CLIENTS) said.push(await execute(command, [program, "prove"], { cwd: copy.root }));
    copy.remove();
    expect(said).toEqual(CLIENTS.map(() => ({ code: 1, stdout: REFUSED, stderr: "" })));
  });
});
