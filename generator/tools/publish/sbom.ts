/**
 * The software bill of materials of a release: the packages that `npm ci --omit=dev` installs, and
 * their dependencies, only from the lock. It depends on neither clock nor chance: by itself the
 * library sorts by locale and draws random numbers, so everything is ordered and named here before
 * the library sees it.
 * Sources: CycloneDX 1.6 (ECMA-424), Package URL, npm's package-lock.json version 3, and Node's
 * resolution through nested node_modules.
 */
import { Enums, Models, Serialize, SPDX, Spec } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import * as Type from "../../../runtime/contract/type.ts";
import { open } from "../../../runtime/contract/schema.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { firstViolation, type Validated } from "../../../runtime/contract/validator.ts";
import { UsageError } from "../../text/usage-error.ts";
import { compareCodePoints } from "../../text/order.ts";

export interface BillSubject {
  readonly name: string;
  readonly version: string;
  /**
   * Tree digest of the release's own files, lowercase hex; the bill's serial number comes from it.
   */
  readonly sha256: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** No bill can be made from the lock; the message is one line. */
export class LockError extends UsageError {
  override name = "LockError";
}

const Lock = open({
  lockfileVersion: Type.Literal(3),
  packages: Type.Record(Type.String(), open({ dev: Type.Optional(Type.Boolean()) })),
});

const Names = Type.Optional(Type.Record(Type.String(), Type.String()));

/** What a package needs according to the lock, including the project itself (the key ""). */
const needs = {
  license: Type.Optional(Type.String({ minLength: 1 })),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: Type.Optional(Type.Record(Type.String(), open({ optional: Type.Optional(Type.Boolean()) }))),
};
const Needs = open(needs);
type Needs = Type.Static<typeof Needs>;

const Installed = open({
  ...needs,
  /** Only for an alias, whose name is not that of its folder. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  version: Type.String({ minLength: 1 }),
  integrity: Type.String(),
  /** A setting of npm leaves it out of a lock. */
  resolved: Type.Optional(Type.String({ minLength: 1 })),
  optional: Type.Optional(Type.Boolean()),
  devOptional: Type.Optional(Type.Boolean()),
});
type Installed = Type.Static<typeof Installed>;

const parse = { lock: compileSchema(Lock), needs: compileSchema(Needs), installed: compileSchema(Installed) };

/** CycloneDX 1.6 JSON; the reference of a component is its key in the lock. */
export function formatSbom(lock: unknown, subject: BillSubject): string {
  const { packages } = valueOf(parse.lock(lock), "package-lock.json");
  const root = valueOf(parse.needs(packages[""]), "The project in package-lock.json");
  const installed = Object.entries(packages)
    .filter(([key, { dev }]) => key !== "" && dev !== true)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, entry]) => [key, valueOf(parse.installed(entry), `${key} in package-lock.json`)] as const);
  const components = new Map(installed.map(([key, entry]) => [key, makeComponent(key, entry)]));
  const application = new Models.Component(Enums.ComponentType.Application, subject.name, {
    bomRef: `${subject.name}@${subject.version}`,
    version: subject.version,
    licenses: licensesOf(root),
  });
  for (const [key, entry] of [["", root] as const, ...installed]) {
    const { dependencies } = components.get(key) ?? application;
    for (const target of resolveNeeds(key, entry, components)) dependencies.add(target.bomRef);
  }
  const bom = new Models.Bom({
    serialNumber: `urn:uuid:${uuidOf(subject.sha256)}`,
    metadata: new Models.Metadata({ component: application }),
    components: new Models.ComponentRepository(components.values()),
  });
  const document = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6).makeForBom().normalize(bom, {});
  // The model takes a time only as a Date; the document has the given text.
  return formatDocument({ ...document, metadata: { ...document.metadata, timestamp: subject.timestamp } });
}

function valueOf<T>(reading: Validated<T>, what: string): T {
  if (reading.ok) return reading.value;
  throw new LockError(firstViolation(reading.violations, "", what));
}

function makeComponent(key: string, entry: Installed): Models.Component {
  const { version, resolved, optional, devOptional } = entry;
  const fullName = entry.name ?? key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
  const [name = "", group] = fullName.split("/").toReversed();
  const { Optional, Required } = Enums.ComponentScope;
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    ...(group !== undefined && { group }),
    version,
    bomRef: key,
    scope: optional === true || devOptional === true ? Optional : Required,
    purl: new PackageURL("npm", group, name, version, undefined, undefined).toString(),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm["SHA-512"], sha512Of(key, entry)]]),
    licenses: licensesOf(entry),
  });
  if (resolved !== undefined) {
    const { Distribution } = Enums.ExternalReferenceType;
    component.externalReferences.add(new Models.ExternalReference(resolved, Distribution));
  }
  return component;
}

/**
 * Hex of the SHA-512 among the digests of the tarball (Subresource Integrity §3.5: base64,
 * separated by spaces).
 */
function sha512Of(key: string, { integrity }: Installed): string {
  const [, base64] = /(?:^|\s)sha512-([A-Za-z0-9+/]{86}==)(?:[\s?]|$)/.exec(integrity) ?? [];
  if (base64 === undefined) throw new LockError(`${key} in package-lock.json has no SHA-512 in its integrity`);
  return Buffer.from(base64, "base64").toString("hex");
}

const EXPRESSION = /^\(*[\w.+:-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+:-]+\)*)+$/;

/**
 * A licence that is neither in SPDX's list nor an expression over it keeps the name that its
 * package gives.
 */
function licensesOf({ license }: Needs): Models.LicenseRepository {
  if (license === undefined) return new Models.LicenseRepository();
  if (SPDX.isSupportedSpdxId(license)) return new Models.LicenseRepository([new Models.SpdxLicense(license)]);
  return new Models.LicenseRepository([
    EXPRESSION.test(license) ? new Models.LicenseExpression(license) : new Models.NamedLicense(license),
  ]);
}

/**
 * The packages that one needs, in order and once each. An optional dependency or an optional peer
 * may be missing.
 */
function resolveNeeds<T>(key: string, entry: Needs, installed: ReadonlyMap<string, T>): T[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const found = new Set<string>();
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const target = resolveName(key, name, installed);
    if (target !== undefined) found.add(target);
    else if (!(name in optionalDependencies) && peerDependenciesMeta[name]?.optional !== true) {
      const who = key === "" ? "The project" : key;
      throw new LockError(
        `${who} needs ${name}, which package-lock.json does not install without development dependencies`,
      );
    }
  }
  return [...found].sort(compareCodePoints).flatMap((target) => installed.get(target) ?? []);
}

/**
 * The nearest node_modules that has the package, from the package that needs it outwards (Node.js,
 * "Modules: All together").
 */
function resolveName(key: string, name: string, installed: ReadonlyMap<string, unknown>): string | undefined {
  const target = `${key === "" ? "" : `${key}/`}node_modules/${name}`;
  if (installed.has(target)) return target;
  return key === ""
    ? undefined
    : resolveName(key.slice(0, Math.max(0, key.lastIndexOf("/node_modules/"))), name, installed);
}

/** A UUID of version 8 (RFC 9562 §5.8, as in its appendix B.2): 122 bits of a SHA-256. */
function uuidOf(sha256: string): string {
  const variant = ((Number.parseInt(sha256.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  return sha256.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-8$3-${variant}$4-$5`);
}
