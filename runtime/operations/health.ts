/**
 * Whether the process should get requests and, in strict mode, whether it may resolve. Strict mode
 * checks the deployment identity every second, even without requests; if the check throws an error,
 * the identity is not verified.
 */
import type { Identity } from "../release/identity.ts";
import type { StoreState } from "../release/release.ts";
import { ReleaseError } from "../release/plain-file.ts";

const INTERVAL_MS = 1000;

export class Health {
  phase: "starting" | "ready" | "stopping" = "starting";
  /** Whether the whole registry has been compared with its digests. */
  isChecked = false;
  readonly #store: StoreState | undefined;
  #isVerified = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(store?: StoreState) {
    this.#store = store;
  }

  /** Why no requests should come, or undefined. */
  get unready(): string | undefined {
    if (this.phase !== "ready") return this.phase;
    return this.#isVerified ? this.#store?.fault : "the deployment identity is unavailable";
  }

  /** Whether a strict service may resolve. */
  readonly mayResolve = (): boolean => this.#isVerified;

  /** Checks now and then every second. Throws ReleaseError if the identity is unavailable now. */
  async watch(identity: () => Promise<Identity>, onError: (error: unknown) => void): Promise<void> {
    const first = await identity();
    if (!first.verified) {
      const { failureCategory, detail } = first;
      throw new ReleaseError(`--strict serves nothing without a deployment identity, ${failureCategory}: ${detail}`);
    }
    const look = async (): Promise<void> => {
      try {
        this.#isVerified = (await identity()).verified;
      } catch (error) {
        this.#isVerified = false;
        onError(error);
      }
      this.#timer?.refresh();
    };
    this.#timer = setTimeout(() => void look(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
