/** The SHA-256 of bytes that come one after the other. */
import { createHash } from "node:crypto";

export class RunningDigest {
  readonly #hash = createHash("sha256");
  /** A buffer, so that many short pieces are hashed at once. */
  readonly #budget = Buffer.allocUnsafe(1 << 16);
  #used = 0;

  add(bytes: Uint8Array): void {
    if (bytes.length > this.#budget.length - this.#used) this.#flush();
    if (bytes.length > this.#budget.length) return void this.#hash.update(bytes);
    this.#budget.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** The digest so far, or with `more` appended. */
  sha256(more = ""): string {
    this.#flush();
    return this.#hash.copy().update(more).digest("hex");
  }

  #flush(): void {
    this.#hash.update(this.#budget.subarray(0, this.#used));
    this.#used = 0;
  }
}
