/**
 * The commands of the API reference that recompute the deployment identity, run as they are printed
 * by every shell that is here, in the release directory of a running service, with no other program
 * than curl and those of coreutils.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Served } from "../support/command.ts";
import { deploy, type Deployment, startDeployment } from "../support/deployment.ts";
import { sha256 } from "../support/sha256.ts";
import { starterRegistry } from "../support/documents.ts";
import { execute } from "../support/npx.ts";
import { freePort } from "../support/free-port.ts";

const SHELLS: readonly (readonly string[])[] = [["dash"], ["bash"], ["bash", "--posix"], ["busybox", "sh"], ["sh"]];
const PROGRAMS = ["cat", "curl", "sha256sum", "sort", "uniq"];

/** Where a program is, if it is. */
function whereIs(program: string): string | undefined {
  const places = (process.env["PATH"] ?? "").split(path.delimiter).map((place) => path.join(place, program));
  return places.find((place) => existsSync(place));
}

let own: Deployment;
let served: Served;
let blocks: readonly string[];
beforeAll(async () => {
  const port = await freePort();
  own = await deploy(starterRegistry(), { origin: `http://127.0.0.1:${port}` });
  served = await startDeployment(own, { PORT: String(port) });
  const reference = await (await fetch(`http://127.0.0.1:${port}/api-reference.md`)).text();
  const section = reference.split(/^#+ The deployment identity$/m)[1]?.split(/^#+ /m)[0] ?? "";
  blocks = [...section.matchAll(/```sh\n([^`]*)```/g)].map(([, text = ""]) => text);
  mkdirSync(own.at("../bin"));
  for (const name of PROGRAMS) symlinkSync(whereIs(name) ?? name, own.at(`../bin/${name}`));
});
afterAll(async () => {
  served.child.kill();
  await served.exit;
  own.remove();
});

/** Runs printed commands in the release directory; gives what they print. */
async function run(
  shell: readonly string[],
  commands: readonly string[],
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const script = own.at("../script.sh");
  writeFileSync(script, commands.join(""));
  const [program = "", ...more] = shell;
  const env = { PATH: own.at("../bin"), NO_PROXY: "*", no_proxy: "*", LC_ALL: "" };
  const inherited = ["-i", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  return execute("env", [...inherited, whereIs(program) ?? program, ...more, script], {
    cwd: own.root,
    timeout: 600_000,
  });
}

describe.each(SHELLS.map((shell) => [shell.join(" "), shell] as const))(
  "the printed commands, in %s,",
  (_name, shell) => {
    const here = whereIs(shell[0] ?? "") !== undefined;

    it.runIf(here)("G01 G02 O-33 T-03: give the tree digest, by the document and without it", async () => {
      const { closure } = JSON.parse(readFileSync(own.document, "utf8")) as { closure: { treeDigest: string } };
      expect(blocks.length).toBe(4);
      const { code, stdout, stderr } = await run(shell, blocks);
      expect([code, stderr]).toEqual([0, ""]);
      const lines = stdout.replaceAll("\r", "").trimEnd().split("\n");
      const fields = lines.filter((line) => /^[\w-]+: /.test(line));
      expect(fields).toContain(`ETag: "${closure.treeDigest}"`);
      expect(fields).toContain(`X-Content-SHA256: ${sha256(readFileSync(own.document))}`);
      expect(lines.filter((line) => !fields.includes(line) && line !== "")).toEqual([
        "the tree digest is that of the list",
        `${closure.treeDigest}  closure.sums`,
        `${sha256(readFileSync(own.document))}  identity.json`,
        "HTTP/1.1 200 OK",
        "every listed file is as it was released",
        "what only some services run is, too",
        `${closure.treeDigest}  found.sums`,
      ]);
    });

    it.runIf(here)(
      "G07: name every file that was changed, removed or added, hidden ones and deep ones too",
      async () => {
        const [fetched = "", , ...others] = blocks;
        await run(shell, [fetched]);
        const sums = readFileSync(own.at("closure.sums"), "utf8");
        appendFileSync(own.at("runtime/contract/code.js"), " ");
        rmSync(own.at("runtime/pages/concept.js"));
        const added = ["runtime/.hidden", "runtime/..more", "runtime/a/b/with space.ts"];
        mkdirSync(own.at("runtime/a/b"), { recursive: true });
        for (const name of added) writeFileSync(own.at(name), name);
        const { stdout, stderr } = await run(shell, others);
        own.restore();
        expect(stdout).toContain("runtime/contract/code.js: FAILED\n");
        expect(stdout).toContain("runtime/pages/concept.js: FAILED open or read\n");
        expect(stdout).not.toContain("every listed file");
        expect(stderr).toContain("runtime/pages/concept.js");
        const named = stdout.split("\n").filter((line) => /^[0-9a-f]{64} {2}(?!found)/.test(line));
        expect(named.map((line) => line.slice(66)).sort()).toEqual(
          [...added, "runtime/contract/code.js", "runtime/contract/code.js", "runtime/pages/concept.js"].sort(),
        );
        expect(stdout).not.toContain(`${sha256(sums)}  found.sums`);
      },
    );

    it.runIf(here)("G03 G09: give nothing while the identity is unavailable", async () => {
      rmSync(own.at("identity.json"), { force: true });
      appendFileSync(own.at("runtime/contract/code.js"), " ");
      await new Promise((resolve) => setTimeout(resolve, 1050));
      const { stdout, stderr } = await run(shell, blocks.slice(0, 1));
      own.restore();
      await new Promise((resolve) => setTimeout(resolve, 1050));
      expect([stdout, stderr]).toEqual(["", expect.stringMatching(/curl: .* 503/)]);
    });
  },
);
