/**
 * The handoffs of kits, run by every interpreter at hand: which there are, how one is run, what a
 * server sees of it, and what it leaves on disk. An interpreter that is missing is warned of, once,
 * and what needs it is not run.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import type { Handoff, HandoffLanguage } from "../../generator/contract/integration.ts";
import { execute, type Outcome } from "./npx.ts";
import { listening } from "./free-port.ts";

/** An interpreter, or the programs that a script needs together. */
export interface Client {
  readonly language: HandoffLanguage;
  /** For titles, with a version where there is one. */
  readonly name: string;
  /** What makes a manifest's argv run this one: a folder with stand-ins comes first on PATH. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Clients {
  readonly all: readonly Client[];
  /** One or two of each language: Python's oldest and newest, every Node, every shell and awk. */
  readonly few: readonly Client[];
  remove(): void;
}

/** PowerShell sends telemetry unless this forbids it; that request is not the handoff's. */
const QUIET = { POWERSHELL_TELEMETRY_OPTOUT: "1", POWERSHELL_UPDATECHECK: "Off" };

const PATH = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));

/** What a command prints, in one line; undefined where it does not run. */
function says(command: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(command, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 600_000,
    }).trim();
  } catch {
    return undefined;
  }
}

/** Each file of one of these names in the folders of PATH, in their order. */
function onPath(names: RegExp, folders: readonly string[] = PATH): string[] {
  return folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => names.test(name))
          .map((name) => path.join(folder, name))
      : [],
  );
}

function onlyOnce<T extends { readonly place: string }>(found: readonly T[]): T[] {
  return [...new Map(found.map((one) => [one.place, one])).values()];
}

interface Interpreter {
  readonly place: string;
  readonly version: string;
}

function compareVersions(a: Interpreter, b: Interpreter): number {
  return a.version.localeCompare(b.version, "en", { numeric: true });
}

const MINIMUM = { python: "3.8", node: "18" };

function those(places: readonly string[], args: readonly string[], minimum: string): Interpreter[] {
  const all = places.flatMap((command) => {
    const [version, place] = says(command, args)?.split(" ") ?? [];
    return version === undefined || place === undefined ? [] : [{ version, place: realpathSync(place) }];
  });
  return onlyOnce(all)
    .filter((one) => compareVersions(one, { place: "", version: minimum }) >= 0)
    .toSorted(compareVersions);
}

/** Oldest first. A pyenv name on PATH may run no version, so its versions are found on disk. */
function pythons(): Interpreter[] {
  const versions = path.join(homedir(), ".pyenv/versions");
  const folders = existsSync(versions) ? readdirSync(versions).map((name) => path.join(versions, name, "bin")) : [];
  const script = "import platform, sys; print(platform.python_version(), sys.executable)";
  return those([...onPath(/^python3(?:\.\d+)?$/), ...onPath(/^python3$/, folders)], ["-c", script], MINIMUM.python);
}

function nodes(): Interpreter[] {
  const script = "console.log(process.versions.node, process.execPath)";
  return those([process.execPath, ...onPath(/^node(?:js)?$/)], ["-e", script], MINIMUM.node);
}

/** A program by the command that runs it. */
interface Program {
  readonly name: string;
  readonly command: readonly string[];
}

const shells: readonly Program[] = [
  { name: "dash", command: ["dash"] },
  { name: "bash", command: ["bash"] },
  { name: "busybox sh", command: ["busybox", "sh"] },
];
const awks: readonly Program[] = [
  { name: "mawk", command: ["mawk"] },
  { name: "gawk", command: ["gawk"] },
  { name: "busybox awk", command: ["busybox", "awk"] },
  { name: "original-awk", command: ["original-awk"] },
];

function whichRun(programs: readonly Program[], args: readonly string[]): Program[] {
  return programs.filter(({ command: [command = "", ...first] }) => says(command, [...first, ...args]) === "yes");
}

/** Every shell and every awk at least once, each with another one where it can be. */
function pairs(): { readonly shell: Program; readonly awk: Program }[] {
  const [sh, awk] = [whichRun(shells, ["-c", "echo yes"]), whichRun(awks, ['BEGIN { print "yes" }'])];
  const missing = [...shells, ...awks].filter((one) => ![...sh, ...awk].includes(one)).map(({ name }) => name);
  if (missing.length > 0) console.warn(`Not run, they are not on PATH: ${missing.join(", ")}`);
  const ofShell = says("sh", ["-c", "curl --version >&2 && od -An -v -tu1 </dev/null && echo yes"]) === "yes";
  if (!ofShell) console.warn("Skipped, sh needs curl and od on PATH");
  return ofShell && sh.length > 0 && awk.length > 0
    ? Array.from({ length: Math.max(sh.length, awk.length) }, (_, i) => ({
        shell: sh[i % sh.length] as Program,
        awk: awk[i % awk.length] as Program,
      }))
    : [];
}

/**
 * A folder with a program under another name; a link if it has no arguments: bash reads its name.
 */
function standIn(folder: string, name: string, [command = "", ...args]: readonly string[]): void {
  const place = path.isAbsolute(command) ? command : onPath(new RegExp(`^${command}$`))[0];
  if (place === undefined) throw new Error(`${command} is not on PATH`);
  const file = path.join(folder, name);
  if (args.length === 0) return symlinkSync(place, file);
  writeFileSync(file, `#!/bin/sh\nexec ${[place, ...args].join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
}

export function findClients(): Clients {
  const folders: string[] = [];
  const make = (language: HandoffLanguage, name: string, programs: Readonly<Record<string, readonly string[]>>) => {
    const folder = mkdtempSync(path.join(tmpdir(), "path-"));
    folders.push(folder);
    for (const [as, command] of Object.entries(programs)) standIn(folder, as, command);
    return { language, name, env: { ...QUIET, PATH: [folder, ...PATH].join(path.delimiter) } };
  };
  const python = pythons().map(({ version, place }) => make("python", `Python ${version}`, { python3: [place] }));
  if (python.length === 0) console.warn(`Skipped, there is no Python ${MINIMUM.python} or newer`);
  const node = nodes().map(({ version, place }) => make("node", `Node ${version}`, { node: [place] }));
  const pwsh = says("pwsh", ["-NoProfile", "-Command", "$PSVersionTable.PSVersion.ToString()"]);
  if (pwsh === undefined)
    console.warn("Skipped, pwsh is not on PATH or does not run: PowerShell's handoff is only parsed");
  const powershell = pwsh === undefined ? [] : [make("powershell", `PowerShell ${pwsh}`, {})];
  const curl = pairs().map(({ shell, awk }) =>
    make("curl", `${shell.name} with ${awk.name}`, { sh: shell.command, awk: awk.command }),
  );
  const ends = python.filter((_, i) => i === 0 || i === python.length - 1);
  return {
    all: [...python, ...node, ...powershell, ...curl],
    few: [...ends, ...node, ...powershell, ...curl],
    remove() {
      for (const folder of folders) rmSync(folder, { recursive: true });
    },
  };
}

/** One client of each language: another one of it each turn. */
export function oneOfEach({ few }: Clients, turn: number): Client[] {
  return [...new Set(few.map(({ language }) => language))].map((language) => {
    const own = few.filter((client) => client.language === language);
    return own[turn % own.length] as Client;
  });
}

/** PowerShell takes a second to start, and the machine may have few cores. */
const gates = new Map<HandoffLanguage, ReturnType<typeof gate>>(
  (["python", "node", "powershell", "curl"] as const).map((language) => [
    language,
    gate(language === "powershell" ? 3 : 6),
  ]),
);

/** Lets so many pieces of work run at once. */
function gate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free === 0) await new Promise<void>((go) => waiting.push(go));
    else free--;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A command before the argv, as `unshare`. */
  readonly before?: readonly string[];
  /** The work is to wait, which many can do at once. */
  readonly waits?: boolean;
}

/** Runs an argv of a manifest, with more arguments where there are any, in the kit's root. */
export function runHandoff(
  client: Client,
  { root, argv }: { readonly root: string; readonly argv: readonly string[] },
  { env = {}, before = [], waits = false }: RunOptions = {},
): Promise<Outcome> {
  const [command = "", ...args] = [...before, ...argv];
  const start = (): Promise<Outcome> =>
    execute(command, args, { cwd: root, env: { ...client.env, ...env }, timeout: 600_000 });
  return waits ? start() : (gates.get(client.language) ?? gate(1))(start);
}

/** How a manifest says that a language is run. */
export function handoffOf(root: string, language: HandoffLanguage): Handoff {
  const { handoffs } = JSON.parse(readFileSync(path.join(root, "manifest.json"), "utf8")) as { handoffs: Handoff[] };
  const handoff = handoffs.find((one) => one.language === language);
  if (handoff === undefined) throw new Error(`The manifest has no ${language}`);
  return handoff;
}

export interface CopiedKit {
  readonly root: string;
  remove(): void;
}

/** A copy of a kit that a test may break, with another address in its programs if one is given. */
export function copyKit(root: string, address?: { readonly from: string; readonly to: string }): CopiedKit {
  const folder = mkdtempSync(path.join(tmpdir(), "kit-"));
  const copy = path.join(folder, path.basename(root));
  cpSync(root, copy, { recursive: true });
  for (const language of address === undefined ? [] : ["python", "node", "powershell", "curl"]) {
    for (const name of readdirSync(path.join(copy, language))) {
      const file = path.join(copy, language, name);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(address?.from ?? "", address?.to ?? ""));
    }
  }
  return {
    root: copy,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Every file below a folder with its bytes, mode and mtime; equal trees have equal texts. */
export function treeOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const place = path.join(folder, name);
      const { mode, mtimeMs, size } = lstatSync(place);
      const isFile = lstatSync(place).isFile();
      const digest = isFile ? createHash("sha256").update(readFileSync(place)).digest("hex") : "";
      return [name, mode.toString(8), mtimeMs, isFile ? size : "", digest].join(" ");
    })
    .join("\n");
}

export interface Stub {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
  /** Whole requests so far, head and body. */
  readonly requests: readonly Buffer[];
  close(): Promise<void>;
}

/** What a stub does with a whole request, or with a connection before there is one. */
export interface StubBehaviour {
  readonly onRequest?: (socket: Socket, request: Buffer) => void;
  readonly onConnection?: (socket: Socket) => void;
}

const HEAD_END = "\r\n\r\n";

/**
 * A TCP server that only finds where an HTTP request ends. Without a behaviour it never answers.
 */
export async function startStub({ onRequest, onConnection }: StubBehaviour = {}): Promise<Stub> {
  const sockets = new Set<Socket>();
  const requests: Buffer[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    // A client may close or reset whenever it likes.
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    onConnection?.(socket);
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (!isWhole(received)) return;
      requests.push(received);
      received = Buffer.alloc(0);
      onRequest?.(socket, requests.at(-1) as Buffer);
    });
  });
  return {
    port: await listening(server),
    connections: () => connections,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isWhole(received: Buffer): boolean {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return false;
  const length = Number(/^content-length: *(\d+)/im.exec(received.subarray(0, end).toString("latin1"))?.[1] ?? 0);
  return received.length >= end + HEAD_END.length + length;
}

export interface SeenRequest {
  /** As it came: `POST /path HTTP/1.1`. */
  readonly line: string;
  /** By lower-case name; a name that comes twice has two values. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

export function readRequest(request: Buffer): SeenRequest {
  const end = request.indexOf(HEAD_END);
  const [line = "", ...lines] = request.subarray(0, end).toString("latin1").split("\r\n");
  const fields: Record<string, string[]> = {};
  for (const each of lines) {
    const colon = each.indexOf(":");
    (fields[each.slice(0, colon).toLowerCase()] ??= []).push(each.slice(colon + 1).trim());
  }
  return { line, fields, body: request.subarray(end + HEAD_END.length).toString("utf8") };
}
