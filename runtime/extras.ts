/**
 * The code that only some services run. To load it is to say that it runs: the deployment identity
 * compares it from then on (release/closure.ts). Nothing else of the runtime imports it.
 */
export class Extras {
  /** The names of the loaded ones. */
  readonly running = new Set<string>();

  /** The listener for operators. */
  admin(): Promise<typeof import("./extras/admin/admin.ts")> {
    this.running.add("admin");
    return import("./extras/admin/admin.ts");
  }

  /** Senders behind proxies that are trusted. */
  proxies(): Promise<typeof import("./extras/proxies/proxies.ts")> {
    this.running.add("proxies");
    return import("./extras/proxies/proxies.ts");
  }

  /** A release whose registry is elsewhere. */
  store(): Promise<typeof import("./extras/store/stored-release.ts")> {
    this.running.add("store");
    return import("./extras/store/stored-release.ts");
  }
}
