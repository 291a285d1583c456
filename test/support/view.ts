/** Views of registries whose index is in memory. */
import { gatherFacts } from "../../generator/facts/facts.ts";
import { compileIndex } from "../../generator/index/compile.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { PublishedRegistry } from "../../generator/registry/published-concept.ts";
import { makeView, type View } from "../../generator/view/view.ts";
import { memorySource } from "../../runtime/registry/byte-source.ts";
import { openIndex, type RegistryIndex } from "../../runtime/registry/index.ts";

export function viewOf(registry: CheckedRegistry, origin: string, site?: Parameters<typeof makeView>[1]): View {
  return makeView(
    { registry, origin, index: indexOf({ registry, origin }), facts: gatherFacts(registry.concepts) },
    site,
  );
}

export function indexOf(published: PublishedRegistry): RegistryIndex {
  return openIndex(memorySource(Buffer.concat([...compileIndex(published)])));
}
