/**
 * The modules that browsers load from a release, as they are published.
 *
 * The resolver for static hosts also runs in Node. It consists of the runtime's compiled files one
 * after another, imported files first, each with only the declarations that are reachable from the
 * entry. Nothing is renamed, so it reads like its sources; comments on lines of their own are
 * removed. The library that ranks pages is MiniSearch: its module without comments, under its
 * licence. A page loads it when somebody searches.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM } from "../effects/closure.ts";
import { type Effects, readText } from "../effects/effects.ts";

const ENTRY = "runtime/extras/store/remote-registry.js";
/** The names that it exports. */
const PUBLIC = ["openRegistry", "StorageError"];

const HEADER = `/**
 * Resolves exactly, from the files of a release on a host that only serves files:
 *
 *   const registry = await openRegistry(location.origin, { sha256: "..." });
 *   const { status, body } = await registry.resolve({ expression: "...", language: "en" });
 *
 * The answer is that of POST /api/v1/resolve. \`sha256\`, the digest of registry.root, pins the
 * registry; without it SHA256SUMS is trusted. Anything that cannot be read throws a StorageError.
 */
`;

/** A top-level declaration of a file, or a statement about one. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

interface File {
  readonly statements: readonly Statement[];
  /** The file of each imported name; \`*\` names are namespaces. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly isNamespace: boolean }>;
}

/** The text of the module. Throws if the files cannot be joined without renaming. */
export function readResolverModule(effects: Effects): string {
  const files = new Map<string, File>();
  const load = (name: string): void => {
    if (files.has(name)) return;
    const file = parseFile(name, readText(effects, path.join(PROGRAM, name)));
    for (const { file: imported } of file.imports.values()) load(imported);
    // After the files that it imports.
    files.set(name, file);
  };
  load(ENTRY);
  const kept = reach(files);
  const names = [...kept].flatMap((statement) => (isDeclaration(statement.text) ? [statement.name] : []));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`Two files of the resolver module declare ${twice}`);
  const texts = [...files.values()].flatMap(({ statements, imports }) => {
    const spaces = [...imports].flatMap(([name, { isNamespace }]) => (isNamespace ? [name] : []));
    const inOneScope = (text: string): string =>
      spaces.reduce((all, name) => all.replaceAll(new RegExp(String.raw`\b${name}\.`, "g"), ""), text);
    return statements.filter((statement) => kept.has(statement)).map(({ text }) => inOneScope(text));
  });
  return `${HEADER}${withoutUnusedMembers(texts.join("\n"))}\nexport { ${PUBLIC.join(", ")} };\n`;
}

/** Removes getters and methods that nothing here uses. */
function withoutUnusedMembers(text: string): string {
  return text.replaceAll(
    /^(\t+)(?:get )?(?!constructor)(\w+)\([^)]*\) \{\n(?:\1\t.*\n)*\1\},?\n/gm,
    (member, _indent, name: string) =>
      new RegExp(String.raw`\.${name}\b|[{,] ${name}\b`).test(text.replace(member, "")) ? member : "",
  );
}

const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)/m;

function isDeclaration(text: string): boolean {
  return DECLARATION.test(text);
}

/**
 * Relies on the compiler's layout: a statement begins at the left margin and its other lines are
 * indented.
 */
function parseFile(file: string, text: string): File {
  const imports = new Map<string, { file: string; isNamespace: boolean }>();
  const statements: Statement[] = [];
  for (const [statement] of text.matchAll(
    /^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n|\/\/.*\n)*(?![\s\])}/]).+\n(?:(?:[\s\])}].*)?\n)*/gm,
  )) {
    const code = statement.replace(/^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n|\/\/.*\n)*/, "");
    const [, names = "", from = ""] = /^import (.+) from "(.+)";/.exec(code) ?? [];
    if (from !== "") {
      for (const [name] of names.matchAll(/[^\s{},][^{},]*(?<!\s)/g)) {
        const imported = name.replace("* as ", "");
        if (imported.includes(" ")) throw new Error(`${file} imports under another name: ${name}`);
        imports.set(imported, {
          file: path.posix.join(path.posix.dirname(file), from),
          isNamespace: imported !== name,
        });
      }
      continue;
    }
    const name = DECLARATION.exec(code)?.[1] ?? /^\w+/.exec(code)?.[0] ?? "";
    statements.push({ name, text: plain(statement) });
  }
  return { statements, imports };
}

/**
 * Removes `export` and comments, indents by tabs, and puts a short branch on the line of its
 * condition.
 */
function plain(statement: string): string {
  const joined = withoutComments(statement)
    .replaceAll(/ *\/\/ prettier-ignore$/gm, "")
    .replaceAll(/^( *(?:\} )?(?:(?:else )?(?:if|for) \(.*\)|else))\n +(\S.*;)$/gm, "$1 $2");
  return withTabs(joined)
    .replace(/^export /m, "")
    .trimEnd();
}

function withoutComments(code: string): string {
  return code.replaceAll(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, "").replaceAll(/^ *\/\/.*\n?/gm, "");
}

function withTabs(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (indent) => "\t".repeat(indent.length / 4));
}

/** All statements that the public names need. */
function reach(files: ReadonlyMap<string, File>): Set<Statement> {
  const kept = new Set<Statement>();
  const visit = (file: string, name: string): void => {
    const { statements = [], imports = new Map() } = files.get(file) ?? {};
    for (const statement of statements.filter((one) => one.name === name && !kept.has(one))) {
      kept.add(statement);
      const code = statement.text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      // A name after a dot is a member; a name after three dots is not.
      for (const [word] of code.matchAll(/(?<![\w#]|(?<!\.\.)\.)[A-Za-z_]\w*(?:\.\w+)?\b(?!:)/g)) {
        const [first = "", member = ""] = word.split(".");
        const from = imports.get(first) as { file: string; isNamespace: boolean } | undefined;
        if (from === undefined) visit(file, first);
        else visit(from.file, from.isNamespace ? member : first);
      }
    }
  };
  for (const name of PUBLIC) for (const file of files.keys()) visit(file, name);
  return kept;
}

const MINISEARCH = fileURLToPath(import.meta.resolve("minisearch"));
/** In the folder that contains dist/es. */
const MINISEARCH_LICENSE = path.resolve(MINISEARCH, "../../../LICENSE.txt");

export function readSearchLibrary(effects: Effects): string {
  const code = withTabs(withoutComments(readText(effects, MINISEARCH)));
  return `/*\nMiniSearch\n\n${readText(effects, MINISEARCH_LICENSE).trim()}\n*/\n${code}`;
}
