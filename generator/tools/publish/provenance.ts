/**
 * States where a release came from: an in-toto Statement v1 whose predicate is SLSA Provenance v1.
 * It names the files that were made, the command and the materials. It is not signed here, so it
 * proves nothing by itself.
 * Sources: https://in-toto.io/Statement/v1, https://slsa.dev/spec/v1.1/provenance.
 */
import { hash } from "node:crypto";
import { formatDocument } from "../../../runtime/text/json.ts";
import type { InputDigest } from "../../effects/inputs.ts";
import { compareCodePoints } from "../../text/order.ts";

export interface ProvenanceInput {
  /** The files that were made. */
  readonly subjects: readonly InputDigest[];
  /** All parameters that an outsider could choose. */
  readonly parameters: {
    readonly origin: string;
    readonly packageVersion: string;
    readonly registryVersion: string;
    readonly command: string;
  };
  /** The files that they were made from. */
  readonly materials: readonly InputDigest[];
  /** ISO 8601, UTC. There is no clock, so it is both the beginning and the end. */
  readonly timestamp: string;
}

/**
 * The service has no public home, so its own names are URNs. The number is the version of the
 * parameters' meaning.
 */
const BUILD_TYPE = "urn:semantic-resolution-service:build:release:1";
/** Whoever runs the command: no platform vouches for the run. */
const BUILDER = "urn:semantic-resolution-service:builder:local:1";

export function formatProvenance({ subjects, parameters, materials, timestamp }: ProvenanceInput): string {
  const { origin, packageVersion, registryVersion, command } = parameters;
  const subject = descriptors(subjects);
  const buildDefinition = {
    buildType: BUILD_TYPE,
    externalParameters: { origin, packageVersion, registryVersion, command },
    internalParameters: {},
    resolvedDependencies: descriptors(materials),
  };
  // The same build of the same materials at the same time is the same run.
  const run = formatDocument({ subject, buildDefinition, timestamp });
  return formatDocument({
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition,
      runDetails: {
        builder: { id: BUILDER },
        metadata: {
          invocationId: hash("sha256", run),
          startedOn: timestamp,
          finishedOn: timestamp,
        },
      },
    },
  });
}

/** In order of name. */
function descriptors(files: readonly InputDigest[]): object[] {
  const sorted = files.toSorted((a, b) => compareCodePoints(a.name, b.name));
  return sorted.map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
}
