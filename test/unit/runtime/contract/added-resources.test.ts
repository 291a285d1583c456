import { describe, expect, it } from "vitest";
import { addedResources, DATASET_PATH, policyAt } from "../../../../runtime/contract/added-resources.ts";
import { paths } from "../../../../runtime/contract/paths.ts";

describe("addedResources", () => {
  it.each([
    "/registry/languages.json",
    "/registry/names/zh-Hans.json",
    "/schemas/other.v1.json",
    "/.well-known/other.txt",
  ])("serves %s of a release, in the form of its name", (file) => {
    expect(addedResources([file])).toMatchObject([{ path: file, variants: [{ file }] }]);
  });

  it.each([
    "/manifest.json",
    "/other.json",
    "/api/v1/other.json",
    "/assets/other.0123456789abcdef.txt",
    "/registry/:code.json",
    "/registry/*.json",
    "/registry/../other.json",
    "/registry//other.json",
    "/registry/bundle.ndjson",
    "/registry/other.exe",
    "/registry/other",
    paths.deployment,
  ])("has no document at %s, so that a release that lists it is refused", (file) => {
    expect(addedResources([file])).toEqual([]);
  });
});

describe("policyAt", () => {
  it.each([
    [paths.changesPage, "html"],
    [paths.changesFeed, "atom"],
    [paths.coveragePage, "html"],
    [paths.deployment, "json"],
    [DATASET_PATH, "turtle"],
    ["/registry/contexts/2026.11.1.jsonld", "jsonld"],
  ])("O-68 O-70: says of %s that it is %s, as it is served", (path, policy) => {
    expect(policyAt(path)).toBe(policy);
    const served = addedResources([path, `${path}.html`]).find((resource) => resource.path === path);
    expect([undefined, policy]).toContain(served?.variants[0].policy);
  });
});
