/** The files of a release that are served at no path are named where a static host is explained. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { documentFiles, resources } from "../../runtime/contract/policy.ts";

const served = new Set(resources.flatMap(({ variants }) => variants.map(({ file }) => file)));
const unserved = [...documentFiles].filter((file) => !served.has(file)).map((file) => file.slice(1));

it.each(["docs/hosting.md", "content/reference/90-hosting.md"])(
  "%s names each file of a release that no path serves",
  (file) => {
    const text = readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8");
    const others = ["registry.index", "registry.blocks", "registry.root", "manifest.json", "SHA256SUMS"];
    expect([...unserved, ...others].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  },
);
