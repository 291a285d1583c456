import { describe, expect, it } from "vitest";
import { addedResources, DATASET_PATH, policyAt } from "../../../../runtime/contract/added-resources.ts";
import { paths } from "../../../../runtime/contract/policy.ts";

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
