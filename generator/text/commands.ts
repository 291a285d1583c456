/**
 * The table of commands: the help, hints of what to run next, and the scripts of a new repository
 * are made from it. A test compares it with the scripts of package.json. program.ts lists the
 * modules that run them, because strings import nothing.
 */

interface Entry {
  /** Its line in the help. */
  readonly does: string;
  /** The npm script, if it has another name because npm or a check of the project has this one. */
  readonly script?: string;
  /** Runs until it is stopped; its script replaces the shell, so that a signal reaches it. */
  readonly lasting?: true;
}

const TABLE = {
  init: { does: "start a repository for a vocabulary" },
  eject: { does: "copy a file of the package's content into yours" },
  start: { does: "build what is missing or outdated, then serve it", lasting: true },
  dev: { does: "show a preview that follows every change", lasting: true },
  build: { does: "make dist from registry and content" },
  verify: { does: "check a built dist" },
  host: { does: "write the configuration of a web server for a release" },
  "verify-origin": { does: "check that a server serves a release unchanged" },
  resolve: { does: "resolve an expression offline" },
  lookup: { does: "find the code that has an external identifier" },
  check: { does: "check the codes in a data set against a release", script: "check:data" },
  explain: { does: "say which rule allowed or stopped a resolution" },
  lint: { does: "list every finding of the registry", script: "lint:registry" },
  mint: { does: "make codes that no concept has or had" },
  import: { does: "bring a vocabulary into a registry" },
  propose: { does: "write a record of a proposal made by an issue form" },
  gaps: { does: "merge what people asked for in vain, and propose it" },
  add: { does: "add an expression, or a concept with its expressions" },
  rename: { does: "give a concept another name" },
  move: { does: "give an expression to another concept" },
  retire: { does: "retire the code of a concept" },
  reject: { does: "reject an expression" },
  review: { does: "list what waits for review, accept or reject it" },
  "release-registry": { does: "record the registry as a version", script: "release:registry" },
  export: { does: "write the registry in another format" },
  mcp: { does: "serve agents on this machine over standard input and output", lasting: true },
  reconcile: { does: "serve the W3C Reconciliation API", lasting: true },
  store: { does: "fill or clean a store of blocks" },
  release: { does: "check, build, verify and write a release" },
  log: { does: "keep, prove and check the transparency log of releases" },
  diff: { does: "show the differences between two releases" },
} as const satisfies Readonly<Record<string, Entry>>;

export type CommandName = keyof typeof TABLE;
export const COMMANDS: Readonly<Record<string, Entry>> = TABLE;

/** The name of the npm script that runs a command. */
export function scriptOf(name: string): string {
  return COMMANDS[name]?.script ?? name;
}
