/** A conversation: packets on a new connection, and all that comes back until it ends. */
import { readdirSync, readFileSync } from "node:fs";
import net from "node:net";
import type { Served } from "../support/command.ts";
import type { Chance } from "./chance.ts";

/** Long enough for every time limit of the service, so that what takes longer hangs. */
const HANG_MS = 40_000;

export interface Heard {
  readonly bytes: Buffer;
  /** Why the connection did not end in order. */
  readonly trouble: string | undefined;
}

/** Sends the packets in order, closes its half of the connection, and reads the rest. */
export function talk(port: number, packets: readonly Buffer[]): Promise<Heard> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let trouble: string | undefined;
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const timer = setTimeout(() => {
      trouble = "hangs";
      socket.destroy();
    }, HANG_MS);
    const send = (at: number): void => {
      const packet = packets[at];
      if (socket.destroyed) return;
      if (packet === undefined) socket.end();
      else socket.write(packet, () => setImmediate(send, at + 1));
    };
    socket.on("connect", () => send(0));
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("error", (error: NodeJS.ErrnoException) => (trouble ??= error.code ?? error.message));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ bytes: Buffer.concat(parts), trouble });
    });
  });
}

/** The same bytes in a few packets. */
export function split(bytes: Buffer, chance: Chance): Buffer[] {
  const cuts = chance.many(1, 6, () => chance.below(bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((cut, i) => bytes.subarray(cut, cuts[i] ?? bytes.length)).filter(({ length }) => length > 0);
}

/** The memory that a process holds now, in MB. */
export function residentMb({ child }: Served): number {
  const pages = Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]);
  return Math.round((pages * 4096) / 1e6);
}

/** Connections that the service holds; its listening socket is always there. */
export function held({ child }: Served): number {
  return readdirSync(`/proc/${child.pid}/fd`).length;
}
