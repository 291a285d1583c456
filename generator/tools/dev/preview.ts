/**
 * A preview that follows its sources: each change is built into a temporary folder, and the runtime
 * serves the last build without errors. A signal ends it; then nothing of it is left.
 */
import path from "node:path";
import { nonce, stopSignal } from "../../../runtime/operations/system.ts";
import type { Console, Effects } from "../../effects/effects.ts";
import { countOf } from "../../effects/print.ts";
import { buildDraft, type Draft } from "./draft.ts";
import { type Front, openFront } from "./front.ts";
import { openService, type Service } from "./service.ts";
import { watchFolders } from "./watch.ts";

/** A page lists at most this many findings of a kind: a broken dump has thousands. */
const LISTED = 50;
const CLIENT = path.join(import.meta.dirname, "client.js");

export interface PreviewRequest {
  readonly registry: string;
  readonly content: string;
  /** 0 for any free port. */
  readonly port: number;
}

/**
 * Shows a preview until the process is asked to end. Throws the error of node:net if it cannot
 * listen.
 */
export async function preview(effects: Effects, console: Console, request: PreviewRequest): Promise<void> {
  // A terminal that is closed sends SIGHUP.
  const stopped = stopSignal("SIGHUP").then(() => "stopped" as const);
  const folder = effects.makeTemporary("srs-dev");
  try {
    const front = await openFront({ port: request.port, client: effects.read(CLIENT), nonce });
    await follow({ effects, console, front, folder, stopped }, request);
  } finally {
    effects.remove(folder);
  }
}

interface Following {
  readonly effects: Effects;
  readonly console: Console;
  readonly front: Front;
  readonly folder: string;
  readonly stopped: Promise<"stopped">;
}

async function follow({ effects, console, front, folder, stopped }: Following, request: PreviewRequest): Promise<void> {
  const { registry, content } = request;
  const report = (fault: string): void => console.error(fault);
  const watcher = await watchFolders([registry, content], report);
  const origin = `http://127.0.0.1:${front.port}`;
  const shown = new Shown(effects, front, folder);
  try {
    console.print(`Preview of ${registry} on ${origin}`);
    do {
      const out = shown.nextFolder();
      const draft = await buildDraft(effects, { registry, content, origin, out }, console.progress);
      await shown.take(draft, out);
      printDraft(console, draft);
    } while ((await Promise.race([stopped, watcher.changed()])) !== "stopped");
  } finally {
    await Promise.all([watcher.close(), front.close()]);
    await shown.close();
  }
}

/** The last good build, and what the pages say about the newest. */
class Shown {
  readonly #effects: Effects;
  readonly #front: Front;
  readonly #folder: string;
  #count = 0;
  #good: { readonly out: string; readonly built: string; readonly service: Service } | undefined;
  #closing: Promise<void>[] = [];

  constructor(effects: Effects, front: Front, folder: string) {
    this.#effects = effects;
    this.#front = front;
    this.#folder = folder;
  }

  /** Each build has a folder of its own: the runtime still reads the previous one. */
  nextFolder(): string {
    return path.join(this.#folder, String(++this.#count));
  }

  async take({ built, errors, notices }: Draft, out: string): Promise<void> {
    if (built !== undefined) {
      const before = this.#good;
      this.#good = { out, built, service: await openService(out) };
      if (before !== undefined) this.#closing.push(this.#end(before));
    }
    const good = this.#good;
    // Each preview has another temporary folder, so its builds have other names.
    const build = good === undefined ? "" : `${path.basename(this.#folder)}-${path.basename(good.out)}`;
    const says = good === undefined ? "Nothing could be built yet" : `Preview of ${good.built}`;
    const isOld = good !== undefined && built === undefined;
    const state = {
      build,
      says: isOld ? `${says}. This is the last build without errors` : says,
      errors: firstOf(errors),
      notices: firstOf(notices),
    };
    this.#front.show(state, good?.service);
  }

  async close(): Promise<void> {
    if (this.#good !== undefined) this.#closing.push(this.#end(this.#good));
    await Promise.all(this.#closing);
  }

  async #end({ out, service }: { readonly out: string; readonly service: Service }): Promise<void> {
    await service.close();
    this.#effects.remove(out);
  }
}

function firstOf(texts: readonly string[]): readonly string[] {
  const more = texts.length - LISTED;
  return more > 0 ? [...texts.slice(0, LISTED), `and ${more} more, in the terminal`] : texts;
}

function printDraft(console: Console, { built, errors, notices }: Draft): void {
  for (const text of errors) console.error(text);
  if (built === undefined) console.error(`${countOf(errors.length, "error")}: pages stay unchanged`);
  else console.print(`Built ${built}${notices.length === 0 ? "" : `; ${countOf(notices.length, "notice")}`}`);
}
