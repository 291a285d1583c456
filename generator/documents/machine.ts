/**
 * The documents that hold no prose of an owner beyond the name, scope and contact of the service:
 * they follow from the registry and this program alone. So a verifier can print them again.
 */
import { schemaNames, schemaPath, paths } from "../../runtime/contract/policy.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { type Integration, printIntegration } from "../integration/documents.ts";
import type { Handoffs } from "../integration/handoffs.ts";
import { openApi, openApiFragment } from "../openapi/openapi.ts";
import { type Examples, findExamples } from "../view/examples.ts";
import type { SamplePool } from "../view/samples.ts";
import type { View } from "../view/view.ts";
import { adoptionGuide } from "./adoption-guide.ts";
import { agentConnect, agentInstructions, capabilities } from "./agent.ts";
import { agentTool } from "./agent-tool.ts";
import { changeDocuments } from "./changes.ts";
import { coverage } from "./coverage.ts";
import { apiCatalog, discovery } from "./discovery.ts";
import { keyedLines } from "./keyed-lines.ts";
import { printNames } from "./names.ts";
import { registryHistory, retiredCodes } from "./registry.ts";
import { schemaDocument } from "./schemas.ts";
import { llmsText, robotsText } from "./site-files.ts";

export interface MachineParts {
  readonly pool: SamplePool;
  readonly handoffs: Handoffs;
  /** The paths of the linked data that the release has. */
  readonly linked: readonly string[];
}

export interface MachineDocuments {
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly integration: Integration;
  readonly examples: Examples;
  readonly description: ReturnType<typeof openApi>;
  readonly covered: ReturnType<typeof coverage>;
}

/** Throws ProofError if a fixture is not as declared. */
export async function printMachineDocuments(
  view: View,
  { pool, handoffs, linked }: MachineParts,
): Promise<MachineDocuments> {
  const examples = findExamples(view, pool);
  const description = openApi(view, examples);
  const covered = coverage(view);
  const tool = formatDocument(agentTool(view));
  const openapi = formatDocument(openApiFragment(description));
  const integration = await printIntegration(view, { pool, openapi, sources: handoffs, tool });
  const added = new Map([...changeDocuments(view), ...keyedLines(view)]);
  const contract = formatDocument(capabilities(view));
  const texts = new Map([
    [paths.connect, formatDocument(agentConnect(view, examples))],
    [paths.capabilities, contract],
    [paths.wellKnownCapabilities, contract],
    [paths.agentTool, tool],
    [paths.agentInstructions, agentInstructions(view, examples)],
    [paths.adoptionGuide, formatDocument(adoptionGuide(view))],
    ...integration.documents,
    [paths.apiCatalog, formatDocument(apiCatalog(view, [...added.keys(), ...linked]))],
    [paths.discovery, formatDocument(discovery(view))],
    [paths.openapi, formatDocument(description)],
    ...schemaNames.map((name) => [schemaPath(name), formatDocument(schemaDocument(view, name))] as const),
    [paths.retired, formatDocument(retiredCodes(view))],
    [paths.history, formatDocument(registryHistory(view))],
    [paths.coverage, formatDocument(covered)],
    ...added,
    ...printNames(view),
    [paths.llms, llmsText(view, examples)],
    [paths.robots, robotsText(view)],
  ]);
  return { texts, integration, examples, description, covered };
}
