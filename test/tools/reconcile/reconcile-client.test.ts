/** What `reconcile` says of its options. */
import http from "node:http";
import { expect, it } from "vitest";
import { runHere } from "../../support/command.ts";
import { starterRegistry } from "../../support/documents.ts";
import { buildRelease } from "../../support/release.ts";
import { listening } from "../../support/free-port.ts";

it("says in one line what is wrong with its options", async () => {
  const taken = http.createServer();
  const port = String(await listening(taken));
  const out = await buildRelease(starterRegistry());
  const says = async (...args: string[]) => {
    const { code, stderr } = await runHere(["reconcile", ...args]);
    return [code, stderr];
  };
  expect(await says("--out", "none")).toEqual([2, expect.stringMatching(/^none\/manifest.json .*\n$/)]);
  expect(await says("--port", "x")).toEqual([2, '--port "x" is not a port number\n']);
  // The addresses that the manifests name would be wrong, or would show a password.
  for (const base of ["example.org", "ftp://h/", "https://h/?", "https://h/x#", "https://h/ x"])
    expect(await says("--base", base)).toEqual([2, `--base "${base}" is not an address such as https://example.org/reconcile\n`]); // prettier-ignore
  expect(await says("--base", "https://:p@h/")).toEqual([2, '--base "https://…@h/" is not an address such as https://example.org/reconcile\n']); // prettier-ignore
  expect(await says("--out", out, "--port", port)).toEqual([
    1,
    `Port ${port} is in use: name another one with --port\n`,
  ]);
  taken.close();
});
