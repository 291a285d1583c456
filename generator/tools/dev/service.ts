/**
 * Runs the runtime over one built draft, on a port of its own: the same server that `start` runs,
 * with nothing of a preview in it.
 */
import { prepareDrain } from "../../../runtime/node/drain.ts";
import { nonce, reportError, seconds } from "../../../runtime/operations/system.ts";
import { identityCheck } from "../../../runtime/release/identity-check.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { PROGRAM } from "../../effects/closure.ts";

export interface Service {
  readonly port: number;
  /** Finishes the current requests, then ends. */
  close(): Promise<void>;
}

export async function openService(dist: string): Promise<Service> {
  const { listen } = await import("../../../runtime/serve.ts");
  const { createServer } = await import("../../../runtime/server.ts");
  const release = openRelease(dist);
  const identity = identityCheck(release, { now: seconds, project: PROGRAM });
  const app = createServer(release, { onError: reportError, nonce, identity });
  const drain = prepareDrain(app.server);
  const origin = await listen(app, { host: "127.0.0.1", port: 0 });
  return {
    port: Number(new URL(origin).port),
    async close() {
      await drain();
      release.close();
    },
  };
}
