/** The house rules, enforced. A failure says which rule, where, and what to do instead. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** Folders in import order: a file imports only from its own folder and those before it. */
const RUNTIME = "text contract http registry release pages mcp routes node operations extras".split(" ");
const GENERATOR =
  "text contract effects scratch archives registry facts content index view promise skos openapi integration documents build.ts verify/audit verify commands tools".split(
    " ",
  );
/** The files behind the last folder; each may import those before it. */
const LAST = [
  "service.ts",
  "mount.ts",
  "plugin.ts",
  "server.ts",
  "extras.ts",
  "serve.ts",
  "program.ts",
  "api.ts",
  "main.ts",
];

/**
 * What a tool may import besides the runtime and its own folder: the ground, what a registry is,
 * and two doors of what makes a release.
 */
const WALL =
  /^generator\/(?:(?:text|contract|effects|scratch|archives|commands|registry|promise|skos)\/|build\.ts$|verify\/verify\.ts$)/;
const tools = readdirSync(path.join(root, "generator/tools"));

/** What other hosts run as it is: no Node API at all. */
const PORTABLE =
  /^(?:generator\/tools\/hosts\/portable\/|runtime\/(?:(?:text|contract|http|registry|pages|mcp|routes)\/|release\/(?:manifest|served)\.|extras\/store\/(?:range-file|remote-registry)\.|operations\/log\.|service\.))(?!digest\.|node-version\.)/;

/** The files that may touch files, processes or the environment. */
const EFFECTFUL =
  /^(?:generator\/effects\/(?:file-system|invocation|http-client|terminal)|generator\/main|runtime\/release\/(?:closure|plain-file|registry-files|watched-file)|runtime\/operations\/(?:listen|system)|runtime\/node\/no-inspector|runtime\/(?:serve|main))\.ts$/;

/** Where each library with a room of its own may be imported. */
const ROOMS: Record<string, readonly string[]> = {
  "@11ty/eleventy": ["generator/content/renderer.ts"],
  "@modelcontextprotocol/server": ["generator/tools/query/commands/mcp-stdio.ts"],
  "@redis/client": ["runtime/extras/store/redis.ts"],
  "@sigstore/bundle": ["generator/tools/publish/signature.ts"],
  "@sigstore/verify": ["generator/tools/publish/signature.ts"],
  "@cyclonedx/cyclonedx-library": ["generator/tools/publish/sbom.ts"],
  ajv: ["generator/contract/validators.ts", "generator/text/compile-schema.ts"],
  canonicalize: ["generator/documents/canonical-digest.ts"],
  chokidar: ["generator/tools/dev/watch.ts"],
  commander: ["generator/program.ts"],
  "csv-parse": ["generator/text/delimited.ts"],
  "csv-stringify": ["generator/text/delimited.ts"],
  fastify: ["runtime/mount.ts", "runtime/plugin.ts", "runtime/serve.ts", "runtime/server.ts"],
  hucre: ["generator/tools/vocabulary/sheet/workbook.ts"],
  "js-yaml": ["generator/registry/record-file.ts"],
  "jsonld-streaming-parser": ["generator/tools/vocabulary/formats/rdf-jsonld.ts"],
  // Verify renders the prose again, with nothing of the builder's.
  "markdown-it": ["generator/content/markdown.ts", "generator/verify/audit/prose.ts"],
  n3: ["generator/tools/vocabulary/formats/rdf-turtle.ts"],
  "packageurl-js": ["generator/tools/publish/sbom.ts"],
  "tar-stream": ["generator/archives/tar.ts"],
  yaml: ["generator/tools/vocabulary/edit/edit-yaml.ts", "generator/tools/vocabulary/edit/splice-yaml.ts"],
  yauzl: ["generator/archives/zip.ts"],
  yazl: ["generator/archives/archive.ts"],
};

interface Source {
  /** Below the project, with `/`. */
  readonly file: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  readonly imports: readonly string[];
}

const IMPORT = /^(?:import|export)\s[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gms;

function readSource(file: string): Source {
  const text = readFileSync(path.join(root, file), "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, one = "", other = one]) =>
    other.startsWith(".") ? path.posix.join(path.posix.dirname(file), other) : other,
  );
  return { file, text, code: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""), imports };
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readSource(path.posix.join(folder, ...name.split(path.sep))));
}

const sources = ["runtime", "generator"].flatMap(sourcesIn);
const below = (folder: string): Source[] => sources.filter(({ file }) => file.startsWith(`${folder}/`));

/** `file: what` for each source that breaks a rule, and what to do instead. */
function broken(of: readonly Source[], rule: (source: Source) => readonly string[], instead: string): string[] {
  return of.flatMap((source) => rule(source).map((what) => `${source.file}: ${what}. Instead: ${instead}`));
}

const matches = ({ code }: Source, pattern: RegExp): string[] => [...new Set(code.match(pattern) ?? [])];

describe.each([
  ["runtime", RUNTIME],
  ["generator", GENERATOR],
])("%s", (side, folders) => {
  const order = [...folders, ...LAST];
  const placeOf = (file: string): number =>
    order.findIndex((name) => file === `${side}/${name}` || file.startsWith(`${side}/${name}/`));

  it("has every file in a folder of its list, and every folder of the list", () => {
    const rule = ({ file }: Source): string[] => (placeOf(file) < 0 ? ["is in no folder of the list"] : []);
    expect(broken(below(side), rule, "move it, or name its folder in this test")).toEqual([]);
    expect(folders.filter((name) => !existsSync(path.join(root, side, name)))).toEqual([]);
  });

  it("imports only from the same folder and those before it", () => {
    const rule = ({ file, imports }: Source): string[] =>
      imports
        .filter((target) => target.startsWith(`${side}/`) && placeOf(target) > placeOf(file))
        .map((target) => `imports ${target} from a later folder`);
    expect(broken(below(side), rule, "move what both need up, or pass it in as a value")).toEqual([]);
  });
});

describe.each(tools)("generator/tools/%s", (tool) => {
  const own = `generator/tools/${tool}/`;

  it("imports its own folder, what a registry is, and the doors of the core", () => {
    const rule = ({ imports }: Source): string[] =>
      imports.filter((target) => target.startsWith("generator/") && !target.startsWith(own) && !WALL.test(target));
    expect(broken(below(`generator/tools/${tool}`), rule, "pass it in, or move what both need below the wall")).toEqual(
      [],
    );
  });

  it("is known to the list of commands and to the API alone", () => {
    const others = sources.filter(
      ({ file }) => !file.startsWith(own) && !/^generator\/(?:program|api)\.ts$/.test(file),
    );
    const rule = ({ imports }: Source): string[] => imports.filter((target) => target.startsWith(own));
    expect(broken(others, rule, "move what both need below the wall")).toEqual([]);
  });

  it("brings its commands and its tests", () => {
    expect(existsSync(path.join(root, own, "commands"))).toBe(true);
    expect(existsSync(path.join(root, "test/tools", tool))).toBe(true);
  });
});

describe("the compiled index", () => {
  it("is compiled by the build, and for registries that have none: a release's memory, made-up fixtures", () => {
    const compilers = sources.filter(({ imports }) => imports.includes("generator/index/compile.ts"));
    expect(compilers.map(({ file }) => file).sort()).toEqual([
      "generator/build.ts",
      "generator/integration/illustration.ts",
      "generator/promise/released-index.ts",
    ]);
  });
});

describe("what documents say of all concepts", () => {
  it("is gathered in facts/, in one pass, and no document makes another", () => {
    // Only for a link that leads nowhere, before the build ends with it.
    const FAULT = "generator/documents/links.ts";
    const rule = (source: Source): string[] =>
      source.file === FAULT
        ? []
        : matches(source, /\bof (?:\w+\.)*concepts(?:\.\w+\(\))?\)|Array\.from\((?:\w+\.)*concepts,/g);
    const later = ["view", "integration", "openapi", "documents"].flatMap((one) => below(`generator/${one}`));
    expect(broken(later, rule, "add it to the tallies of facts/facts.ts, or ask the index for the few")).toEqual([]);
  });
});

describe("the runtime", () => {
  const isExtra = (file: string): boolean => file.startsWith("runtime/extras/");

  it("has nothing but what every service loads, and the extras", () => {
    const reached = new Set(["runtime/main.ts", "runtime/plugin.ts"]);
    for (const file of reached)
      for (const target of readSource(file).imports)
        if (/^runtime\/(?!extras\/).*\.ts$/.test(target)) reached.add(target);
    const rule = ({ file }: Source): string[] =>
      reached.has(file) || isExtra(file) || file.endsWith(".d.ts") ? [] : ["is loaded by no service"];
    expect(broken(below("runtime"), rule, "move it to runtime/extras/, or to the tool that uses it")).toEqual([]);
  });

  it("loads an extra only in extras.ts, which tells the identity", () => {
    const rule = ({ file, imports, code }: Source): string[] =>
      imports
        .filter((target) => isExtra(target) && !isExtra(file) && file !== "runtime/extras.ts")
        .filter((target) => !new RegExp(`import type [^;]*/${target.slice("runtime/".length)}"`).test(code));
    expect(broken(below("runtime"), rule, "call it by Extras, or import its types alone")).toEqual([]);
    expect(readSource("runtime/extras.ts").text).not.toMatch(/^import/m);
  });

  it("imports nothing of the generator, and just the packages of its own package.json", () => {
    type Manifest = Readonly<Record<"dependencies" | "peerDependencies", Record<string, string>>>;
    const own = JSON.parse(readFileSync(path.join(root, "runtime/package.json"), "utf8")) as Manifest;
    const dependencies = { ...own.dependencies, ...own.peerDependencies };
    const packages = new Set<string>();
    const rule = ({ imports, code }: Source): string[] =>
      imports.filter((target) => {
        if (target.startsWith("runtime/") || target.startsWith("node:")) return false;
        // What is imported for its types alone is not there when the program runs.
        if (new RegExp(`import type [^;]*"${target}"`).test(code)) return false;
        const name = target.split("/").slice(0, target.startsWith("@") ? 2 : 1).join("/"); // prettier-ignore
        packages.add(name);
        return !(name in dependencies);
      });
    expect(broken(below("runtime"), rule, "keep it in generator/, or make it one of the few dependencies")).toEqual([]);
    expect([...packages].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it("locks the packages that the project locks", () => {
    type Lock = {
      readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
    };
    const [project, runtime] = ["package-lock.json", "runtime/package-lock.json"].map(
      (file) => (JSON.parse(readFileSync(path.join(root, file), "utf8")) as Lock).packages,
    );
    const other = Object.entries(runtime ?? {}).filter(
      ([name, { version, integrity }]) =>
        name !== "" && (project?.[name]?.version !== version || project[name].integrity !== integrity),
    );
    expect(other.map(([name]) => name)).toEqual([]);
  });

  it("answers requests without any Node API, so that other hosts can run it", () => {
    const rule = (source: Source): string[] => [
      ...source.imports.filter(
        (target) =>
          !PORTABLE.test(target) && !new RegExp(`import type [^;]*["/]${path.basename(target)}"`).test(source.code),
      ),
      ...matches(source, /\bBuffer\b|\bprocess\b/g),
    ];
    const instead = "use Uint8Array, DataView, TextEncoder, and a ByteSource for reading";
    const portable = sources.filter(({ file }) => PORTABLE.test(file));
    expect(portable.length).toBeGreaterThan(50);
    expect(broken(portable, rule, instead)).toEqual([]);
  });
});

describe("runtime and generator", () => {
  it("touch files, processes and the environment only where it is said", () => {
    const effects = /^node:(?:fs|child_process|os|worker_threads|process)/;
    const rule = (source: Source): string[] =>
      EFFECTFUL.test(source.file)
        ? []
        : [
            ...source.imports.filter((target) => effects.test(target)),
            ...matches(source, /\bprocess\.(?!env;|env\b\))\w+/g),
          ];
    const instead = "pass it in: Effects in the generator, Release or an argument in the runtime";
    expect(broken(sources, rule, instead)).toEqual([]);
  });

  it("form no circle, within a folder either", () => {
    // What is imported for its types alone is not there when the program runs, but binds readers.
    const importsOf = new Map(sources.map(({ file, imports }) => [file, imports.filter((one) => one.endsWith(".ts"))]));
    const reaches = (start: string): boolean => {
      const found = new Set(importsOf.get(start));
      for (const file of found) for (const target of importsOf.get(file) ?? []) found.add(target);
      return found.has(start);
    };
    const rule = ({ file }: Source): string[] => (reaches(file) ? ["reaches itself"] : []);
    expect(broken(sources, rule, "put what both need in a file below them")).toEqual([]);
  });

  it("have no clock, chance or locale", () => {
    const exceptions = {
      // The one date of every file in a kit: that of the release label.
      "const TIME = new Date(year, month - 1, day, 12);": "generator/archives/archive.ts",
      // RFC 9110 §6.6.1: node:http adds Date to every answer but those that it leaves to us.
      '["Date", new Date().toUTCString(),': "runtime/node/writer.ts",
    };
    for (const [text, place] of Object.entries(exceptions))
      expect(sources.filter(({ code }) => code.includes(text)).map(({ file }) => file)).toEqual([place]);
    const rest = (code: string): string => Object.keys(exceptions).reduce((left, text) => left.replace(text, ""), code);
    const rule = (source: Source): string[] =>
      matches(
        { ...source, code: rest(source.code) },
        /\bDate\b(?!\(0\)|:)|Math\.random|performance\.now|localeCompare|toLocale\w*|\bIntl\b|randomUUID/g,
      );
    expect(broken(sources, rule, "make it an input, or order by code point (generator/text/order.ts)")).toEqual([]);
  });

  it("import libraries with a room of their own only there", () => {
    const isOf = (target: string, name: string): boolean => target === name || target.startsWith(`${name}/`);
    const rule = ({ file, imports }: Source): string[] =>
      imports.filter((target) =>
        Object.entries(ROOMS).some(([name, rooms]) => isOf(target, name) && !rooms.includes(file)),
      );
    expect(broken(sources, rule, "call the room that wraps it")).toEqual([]);
    const empty = Object.entries(ROOMS).flatMap(([name, rooms]) =>
      rooms.filter((room) => !sources.some(({ file, imports }) => file === room && imports.some((t) => isOf(t, name)))),
    );
    expect(empty, "a room holds what it is for").toEqual([]);
  });

  it("load a command when it runs, and the server only to serve", () => {
    const isStatic = ({ file, text }: Source, target: string): boolean => {
      const from = path.posix.relative(path.posix.dirname(file), target);
      return !text.includes(`import("${from.startsWith(".") ? from : `./${from}`}")`);
    };
    const reached = (files: readonly string[]): string[] => {
      const found = new Set(files);
      for (const file of found) {
        const source = sources.find((one) => one.file === file);
        for (const target of source?.imports ?? []) if (source && isStatic(source, target)) found.add(target);
      }
      return [...found];
    };
    const commands = sources.map(({ file }) => file).filter((file) => file.includes("/commands/"));
    const first = reached(["generator/program.ts"]).filter((file) => commands.includes(file));
    expect(first.map((file) => path.basename(file)).sort()).toEqual(["command.ts", "options.ts", "service-file.ts"]);
    expect(reached(commands).filter((file) => /^fastify|^runtime\/(?:serve|server)\.ts/.test(file))).toEqual([]);
  });

  it("audit a release with code that is independent of the builder", () => {
    const allowed = /^generator\/(?:contract|effects|scratch|text|verify)\//;
    const rule = ({ imports }: Source): string[] =>
      imports.filter((target) => target.startsWith("generator/") && !allowed.test(target));
    const audit = below("generator/verify").filter(({ file }) => !/\/(?:reprint|verify)\.ts$/.test(file));
    expect(broken(audit, rule, "derive it again from runtime/ alone, or print it again in reprint.ts")).toEqual([]);
  });

  it("publish a classifier that runs anywhere: no imports, and nothing of one host", () => {
    const { imports, code } = readSource("generator/integration/handoffs/node/classify.mjs");
    expect(imports).toEqual([]);
    expect(code).not.toMatch(
      /\b(?:require|process|Buffer|global(?:This)?|window|document|fetch|console|await|import)\b/,
    );
  });

  it("begin each file with a header that says what it decides", () => {
    const rule = ({ text }: Source): string[] =>
      text.replace(/^#!.*\n/, "").startsWith("/**") ? [] : ["has no header"];
    expect(broken(sources, rule, "write 1 to 8 lines: what it decides, its source, what it does not do")).toEqual([]);
  });

  it("stay within 300 lines a file", () => {
    const rule = ({ text }: Source): string[] => (text.split("\n").length > 301 ? ["is too long"] : []);
    expect(broken(sources, rule, "split it by noun")).toEqual([]);
  });

  it("keep comments within 100 columns", () => {
    const all = ["runtime", "generator", "bench", "test"].flatMap(sourcesIn);
    const rule = (source: Source): string[] =>
      matches({ ...source, code: source.text }, /^(?=.{101}) *(?:\/\/|\/?\*+ ).*/gm);
    expect(broken(all, rule, "wrap the comment, or say it in fewer words")).toEqual([]);
  });

  it("export by name, without barrels or default exports", () => {
    const rule = (source: Source): string[] => matches(source, /^export (?:\*|default|\{)[^\n]*/gm);
    expect(broken(sources, rule, "export the thing where it is made and import it from there")).toEqual([]);
  });
});

describe("lib/", () => {
  it("has the mode of the folders in it, so that it runs for whoever may read them", () => {
    const modeOf = (name: string): number => statSync(path.join(root, name)).mode;
    expect(modeOf("lib")).toBe(modeOf("lib/generator"));
  });
});
