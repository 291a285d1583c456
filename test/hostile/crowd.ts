/** Hostile conversations, repeated, each request from a client that was never seen before. */
import { serve, type Served } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { AS_DEPLOYED, Chance } from "./chance.ts";
import { makeRequest, mutate } from "./grammar.ts";

/** To make a conversation costs more than to answer it. */
const KNOWN = 2000;
const LAST = "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** A service behind a proxy that names its clients. */
export async function serveToCrowd(): Promise<Served> {
  const directory = await buildRelease(checkedRegistry(nasty));
  return serve("lib/runtime/main.js", ["--out", directory], { ...AS_DEPLOYED, TRUSTED_PROXIES: "127.0.0.1" });
}

export class Crowd {
  /** Clients so far. */
  count = 0;
  readonly #chance: Chance;
  readonly #known: string[];

  constructor(turn: number) {
    this.#chance = new Chance(turn);
    this.#known = Array.from({ length: KNOWN }, () => this.#make());
  }

  /** A conversation, as Latin-1. */
  next(): string {
    const at = this.#chance.below(KNOWN);
    if (this.#chance.once(50)) this.#known[at] = this.#make();
    return this.#known[at] ?? "";
  }

  /** The same bytes, each request from another client. */
  say(text: string): Buffer {
    return Buffer.from(
      text.replaceAll("\r\nHost:", () => `\r\nX-Forwarded-For: ${this.#address()}\r\nHost:`),
      "latin1",
    );
  }

  #make(): string {
    const bytes = Buffer.concat(this.#chance.many(1, 12, () => makeRequest(this.#chance, []).bytes));
    return (this.#chance.once(4) ? mutate(bytes, this.#chance) : bytes).toString("latin1") + LAST;
  }

  #address(): string {
    const count = ++this.count;
    return [count >> 24, count >> 16, count >> 8, count].map((part) => part & 255).join(".");
  }
}
