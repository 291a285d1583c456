/**
 * Real Redis servers on loopback: a cluster of three masters, each with a replica, or one server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@redis/client";

export const REDIS = "/usr/bin/redis-server";

export interface Node {
  readonly port: number;
  readonly url: string;
  /** Runs a command; the arguments are its words. */
  ask(...words: string[]): Promise<unknown>;
  /** Kills the server at once (SIGKILL). */
  kill(): Promise<void>;
}

export interface Servers {
  readonly nodes: readonly Node[];
  /** The value for `--store` and `--to`. */
  readonly urls: string;
  close(): Promise<void>;
}

const MASTERS = 3;
const SLOTS = 16_384;

async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  for (let i = 0; i < count; i++) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}

type Settings = Readonly<Record<string, string>>;

function startNode(home: string, [port = 0, bus]: readonly (number | undefined)[], more: Settings = {}): Node {
  const dir = path.join(home, String(port));
  mkdirSync(dir);
  const settings: Settings = {
    port: String(port),
    bind: "127.0.0.1",
    dir,
    save: "",
    appendonly: "no",
    "repl-diskless-sync-delay": "0",
    ...(bus !== undefined && { "cluster-enabled": "yes", "cluster-port": String(bus), "cluster-node-timeout": "1500" }),
    ...more,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child: ChildProcess = spawn(REDIS, args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async ask(...words) {
      const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 50 } });
      client.on("error", () => undefined);
      await client.connect();
      try {
        return await client.sendCommand(words);
      } finally {
        client.destroy();
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits until a condition is true. */
export async function eventually(isTrue: () => Promise<boolean>, what: string, seconds = 30): Promise<void> {
  for (let i = 0; i < seconds * 20; i++) {
    if (await isTrue()) return;
    await sleep(50);
  }
  throw new Error(`It took more than ${seconds} s: ${what}`);
}

/** Whether a server knows a cluster of `count` nodes that serves every slot. */
async function isWell(node: Node, count: number): Promise<boolean> {
  const info = String(await node.ask("CLUSTER", "INFO"));
  return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${count}`);
}

export async function startCluster(): Promise<Servers> {
  const home = mkdtempSync(path.join(tmpdir(), "redis-"));
  const ports = await freePorts(4 * MASTERS);
  const nodes = Array.from({ length: 2 * MASTERS }, (_none, i) => startNode(home, ports.slice(2 * i, 2 * i + 2)));
  const [first, ...others] = nodes;
  if (first === undefined) throw new Error("There is no server");
  for (const [i, node] of nodes.slice(0, MASTERS).entries()) {
    const slots = [Math.floor((i * SLOTS) / MASTERS), Math.floor(((i + 1) * SLOTS) / MASTERS) - 1].map(String);
    await node.ask("CLUSTER", "ADDSLOTSRANGE", ...slots);
    await node.ask("CLUSTER", "SET-CONFIG-EPOCH", String(i + 1));
  }
  for (const node of others) await node.ask("CLUSTER", "MEET", "127.0.0.1", String(first.port), String(ports[1]));
  for (const node of nodes) await eventually(() => isWell(node, nodes.length), "a cluster of all servers");
  for (const [i, replica] of nodes.slice(MASTERS).entries()) {
    await replica.ask("CLUSTER", "REPLICATE", String(await nodes[i]?.ask("CLUSTER", "MYID")));
    const isLinked = async () => String(await replica.ask("INFO", "replication")).includes("master_link_status:up");
    await eventually(isLinked, "a replica that follows its master");
  }
  const showsReplicas = async () =>
    ((await first.ask("CLUSTER", "SLOTS")) as unknown[][]).every((slot) => slot.length === 4);
  await eventually(showsReplicas, "a cluster that knows its replicas");
  return { nodes, urls: nodes.map(({ url }) => url).join(","), close: () => closeAll(home, nodes) };
}

/** Starts one server, with further settings of redis.conf. */
export async function startServer(more: Settings = {}): Promise<Servers> {
  const home = mkdtempSync(path.join(tmpdir(), "redis-"));
  const node = startNode(home, await freePorts(1), more);
  await node.ask("PING");
  return { nodes: [node], urls: node.url, close: () => closeAll(home, [node]) };
}

async function closeAll(home: string, nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) await node.kill();
  rmSync(home, { recursive: true });
}
