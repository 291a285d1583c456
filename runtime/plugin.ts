/**
 * The service as a Fastify plugin, for an app of somebody else: with that app's hooks, logger, TLS,
 * and routes next to ours. Types are declared here, so that the published declarations refer to no
 * other file of ours. What Node refuses before a route, and other paths, stay the app's.
 */
import type { FastifyInstance } from "fastify";
import { parseOrigin } from "./http/origin.ts";
import { sha256 } from "./http/digest.ts";
import { mountRoutes } from "./mount.ts";
import { responder } from "./node/server.ts";
import { nonce, seconds } from "./operations/system.ts";
import { identityCheck } from "./release/identity-check.ts";
import { openRelease } from "./release/release.ts";
import { serviceTable } from "./service.ts";

export interface ServiceOptions {
  /** The folder of the built release. */
  readonly dist: string;
  /** The origin that the deployment answers for; without it, the identity does not compare it. */
  readonly origin?: string;
  /** Receives unexpected errors; by default the app's logger does. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Opens the release, mounts the service at the root of the app, and closes the release with the
 * app. Throws if the release is damaged, the origin is none, or the plugin has a prefix.
 */
export async function service(app: FastifyInstance, { dist, origin, onError }: ServiceOptions): Promise<void> {
  if (app.prefix !== "")
    throw new Error(`The addresses of a release are at the root of its origin: register it without a prefix`);
  if (origin !== undefined && parseOrigin(origin) === undefined)
    throw new Error(`origin ${JSON.stringify(origin)} is not an absolute http(s) origin`);
  const release = openRelease(dist);
  app.addHook("onClose", () => release.close());
  const report = onError ?? ((error) => app.log.error(error));
  const identity = identityCheck(release, { configured: origin && parseOrigin(origin), now: seconds });
  const table = serviceTable(release, { identity, nonce, onError: report, sha256 });
  const respond = responder({ onError: report, paths: table.paths });
  // Another method of our paths is refused in our words, not in those of the app.
  mountRoutes(app, { table, respond, methodsOf: () => app.supportedMethods });
}
