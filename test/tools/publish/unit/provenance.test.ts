/**
 * The provenance, held against the specifications field by field and not against the code: in-toto
 * Statement v1 (github.com/in-toto/attestation, spec/v1/statement.md and resource_descriptor.md)
 * and SLSA Provenance v1 (slsa.dev).
 */
import { describe, expect, it, vi } from "vitest";
import { formatProvenance, type ProvenanceInput } from "../../../../generator/tools/publish/provenance.ts";

const A = "a".repeat(64);
const B = "0123456789abcdef".repeat(4);
const TIME = "2026-09-02T12:00:00Z";

const INPUT: ProvenanceInput = {
  subjects: [
    { name: "service.tar", sha256: A },
    { name: "dist/SHA256SUMS", sha256: B },
    { name: "é", sha256: A },
    { name: "Z", sha256: A },
  ],
  parameters: {
    origin: "https://x.example",
    packageVersion: "v22-wip",
    registryVersion: "1.0.0",
    command: "npm run release",
  },
  materials: [
    { name: "runtime", sha256: B },
    { name: "package-lock.json", sha256: A },
  ],
  timestamp: TIME,
};

type Json = Record<string, unknown>;
const read = (input: ProvenanceInput = INPUT): Json => JSON.parse(formatProvenance(input)) as Json;
const at = (value: Json, ...path: string[]): Json => path.reduce((object, key) => object[key] as Json, value);

/** RFC 3986 with a scheme: SLSA's TypeURI and in-toto's ResourceURI for what says what it is. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/;

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string" && value !== "";
const uri: Check = (value) => text(value) && ABSOLUTE_URI.test(value as string);
const time: Check = (value) => text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value as string);
const literal =
  (expected: string): Check =>
  (value) =>
    value === expected;
const object =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(required).every((key) => key in value) &&
    Object.entries(value).every(([key, member]) => (required[key] ?? optional[key])?.(member) === true);
const list =
  (item: Check, least = 0): Check =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(item);

const digest = object({ sha256: (value) => /^[0-9a-f]{64}$/.test(String(value)) });
/** resource_descriptor.md: at least one of uri, digest, content; here each has name and digest. */
const descriptor = object({ name: text, digest });
const any: Check = (value) => typeof value === "object" && value !== null;

const STATEMENT = object({
  _type: literal("https://in-toto.io/Statement/v1"),
  subject: list(descriptor, 1),
  predicateType: literal("https://slsa.dev/provenance/v1"),
  predicate: object({
    buildDefinition: object({
      buildType: uri,
      externalParameters: any,
      internalParameters: any,
      resolvedDependencies: list(descriptor),
    }),
    runDetails: object({
      builder: object({ id: uri }),
      metadata: object({ invocationId: text, startedOn: time, finishedOn: time }),
    }),
  }),
});

describe("the check", () => {
  it("can fail: a field more, a field less, a wrong type anywhere", () => {
    const breaks: ((statement: Json) => void)[] = [
      (statement) => (statement["more"] = 1),
      (statement) => delete statement["_type"],
      (statement) => (statement["subject"] = []),
      (statement) => (at(statement, "predicate", "runDetails", "builder")["id"] = "nobody"),
      (statement) => (at(statement, "predicate", "runDetails", "metadata")["startedOn"] = "yesterday"),
      (statement) => (at(statement, "predicate", "buildDefinition")["resolvedDependencies"] = [{ name: "x" }]),
    ];
    for (const change of breaks) {
      const statement = read();
      change(statement);
      expect(STATEMENT(statement)).toBe(false);
    }
  });
});

describe("the provenance", () => {
  it("is a Statement v1 with a SLSA v1 predicate, and has no field of its own", () => {
    expect(STATEMENT(read())).toBe(true);
  });

  it("names what was made, asked and used, and nothing else, in code-point order", () => {
    const statement = read();
    expect(statement["subject"]).toEqual([
      { name: "Z", digest: { sha256: A } },
      { name: "dist/SHA256SUMS", digest: { sha256: B } },
      { name: "service.tar", digest: { sha256: A } },
      { name: "é", digest: { sha256: A } },
    ]);
    const { externalParameters, internalParameters, resolvedDependencies } = at(
      statement,
      "predicate",
      "buildDefinition",
    );
    expect(externalParameters).toEqual(INPUT.parameters);
    expect(internalParameters).toEqual({});
    expect(resolvedDependencies).toEqual([
      { name: "package-lock.json", digest: { sha256: A } },
      { name: "runtime", digest: { sha256: B } },
    ]);
  });

  it("has the given time and no other, and neither clock nor chance", () => {
    const stop = (): never => {
      throw new Error("There is no clock");
    };
    const spies = [vi.spyOn(Date, "now").mockImplementation(stop), vi.spyOn(Math, "random").mockImplementation(stop)];
    const made = formatProvenance(INPUT);
    for (const spy of spies) spy.mockRestore();
    expect(made).toBe(formatProvenance(INPUT));
    expect(made.match(/\d{4}-\d\d-\d\dT[^"]*/g)).toEqual([TIME, TIME]);
  });

  it("gives the same bytes in whatever order things come, in the form of every document", () => {
    const made = formatProvenance(INPUT);
    const { subjects, parameters, materials } = INPUT;
    const reordered = Object.fromEntries(Object.entries(parameters).toReversed()) as unknown as typeof parameters;
    expect(
      formatProvenance({
        ...INPUT,
        subjects: subjects.toReversed(),
        parameters: reordered,
        materials: materials.toReversed(),
      }),
    ).toBe(made);
    expect(made).toBe(`${JSON.stringify(JSON.parse(made), null, 2)}\n`);
  });

  it("has an invocation of its own for each other thing made, asked, used, and time", () => {
    const invocation = (input: ProvenanceInput): unknown =>
      at(read(input), "predicate", "runDetails", "metadata")["invocationId"];
    const inputs: ProvenanceInput[] = [
      INPUT,
      { ...INPUT, timestamp: "2026-09-02T12:00:01Z" },
      { ...INPUT, subjects: INPUT.subjects.slice(1) },
      { ...INPUT, materials: [] },
      ...Object.keys(INPUT.parameters).map((name) => ({
        ...INPUT,
        parameters: { ...INPUT.parameters, [name]: "other" },
      })),
    ];
    expect(new Set(inputs.map(invocation)).size).toBe(8);
  });
});
