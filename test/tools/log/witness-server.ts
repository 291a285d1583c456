/**
 * A witness, written from c2sp.org/tlog-witness and RFC 9162 §2.1.4.2 alone: it shares no code with
 * what it judges. It keeps the last checkpoint of each log in memory.
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Witness {
  readonly url: string;
  readonly vkey: string;
  /** The time of its cosignatures. */
  time: number;
  /** Answers the next requests instead of the protocol. */
  misbehave: ((response: http.ServerResponse) => void) | undefined;
  readonly sizes: Map<string, { size: number; root: string }>;
  close(): Promise<void>;
}

const sha = (...parts: Uint8Array[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();

const node = (left: Uint8Array, right: Uint8Array): Buffer => sha(Buffer.of(1), left, right);

interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Buffer;
  readonly secondRoot: Buffer;
  readonly path: Buffer[];
}

/** RFC 9162 §2.1.4.2, step by step. */
export function isConsistent({ first, second, firstRoot, secondRoot, path }: Consistency): boolean {
  if (first === second) return path.length === 0 && firstRoot.equals(secondRoot);
  if (first === 0) return path.length === 0;
  const steps = Number.isInteger(Math.log2(first)) ? [firstRoot, ...path] : [...path];
  const start = steps.shift();
  if (start === undefined) return false;
  let [fn, sn] = [BigInt(first - 1), BigInt(second - 1)];
  for (; fn & 1n; fn >>= 1n) sn >>= 1n;
  let [fr, sr] = [start, start];
  for (const c of steps) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      [fr, sr] = [node(c, fr), node(c, sr)];
      for (; !(fn & 1n) && fn !== 0n; fn >>= 1n) sn >>= 1n;
    } else sr = node(sr, c);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return fr.equals(firstRoot) && sr.equals(secondRoot) && sn === 0n;
}

function rawOf(key: KeyObject): Buffer {
  return Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url");
}

/** Starts one that knows a log by its verifier key. */
export async function startWitness(logKey: string, name = "witness.example/w1"): Promise<Witness> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const typed = Buffer.concat([Buffer.of(4), rawOf(privateKey)]);
  const id = sha(Buffer.from(`${name}\n`), typed).subarray(0, 4);
  const [logName = "", , ...rest] = logKey.split("+");
  const logPublic = Buffer.from(rest.join("+"), "base64").subarray(1);
  const x = logPublic.toString("base64url");
  const trusted = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  const state: Pick<Witness, "time" | "misbehave" | "sizes"> = {
    time: 1_700_000_000,
    misbehave: undefined,
    sizes: new Map(),
  };
  const answer = (body: string): [status: number, text: string] => {
    const [, old = "", proof = "", text = "", lines = ""] =
      /^old (\d+)\n((?:.+\n)*)\n((?:.+\n){3,})\n((?:.+\n)+)$/u.exec(body) ?? [];
    if (text === "") return [400, "malformed"];
    const [origin = "", size = "", root = ""] = text.split("\n");
    if (origin !== logName) return [404, "unknown log"];
    const own = lines.split("\n").find((line) => line.startsWith(`\u2014 ${origin} `));
    const signature = Buffer.from(own?.split(" ")[2] ?? "", "base64").subarray(4);
    if (!verify(null, Buffer.from(text), trusted, signature)) return [403, "not signed"];
    if (Number(old) > Number(size)) return [400, "old is larger"];
    const before = state.sizes.get(origin) ?? { size: 0, root: "" };
    if (before.size !== Number(old)) return [409, `${before.size}\n`];
    const path = proof.split("\n").slice(0, -1).map((line) => Buffer.from(line, "base64")); // prettier-ignore
    const [firstRoot, secondRoot] = [Buffer.from(before.root, "base64"), Buffer.from(root, "base64")];
    if (!isConsistent({ first: before.size, second: Number(size), firstRoot, secondRoot, path }))
      return [422, "inconsistent"];
    state.sizes.set(origin, { size: Number(size), root });
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(state.time));
    const signed = sign(null, Buffer.from(`cosignature/v1\ntime ${state.time}\n${text}`), privateKey);
    return [200, `\u2014 ${name} ${Buffer.concat([id, time, signed]).toString("base64")}\n`];
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (state.misbehave !== undefined) return state.misbehave(response);
      const isKnown = request.method === "POST" && request.url === "/w/add-checkpoint";
      const [status, text] = isKnown ? answer(Buffer.concat(chunks).toString()) : [404, "no such place"];
      response.writeHead(status, status === 409 ? { "content-type": "text/x.tlog.size" } : {}).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(state, { url, vkey: `${name}+${id.toString("hex")}+${typed.toString("base64")}`, close });
}
