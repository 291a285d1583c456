/**
 * Checks that lists of steps are numbered in order. The journey to a kit has the steps of the
 * contract (§4.4), and the prompt checks an answer by the procedure for agents. Text that appears
 * in only one list can be checked only by rebuilding.
 */
import { isDeepStrictEqual } from "node:util";
import type { MCPDefinition } from "../../../runtime/contract/mcp.ts";
import { MCP_FILE, paths } from "../../../runtime/contract/policy.ts";
import { JOURNEY } from "../../contract/integration.ts";
import { memberAt } from "../integrity/json.ts";
import type { Documents, Faults } from "../integrity/parts.ts";

type Item = Readonly<Record<string, unknown>>;

const STUDIO = `${paths.studio}/index.json`;
const LISTS = [
  [paths.capabilities, "decisionProcedure", "step"],
  [`${paths.readiness}/index.json`, "checklist", "step"],
  [STUDIO, "journey", "step"],
  [paths.adoptionGuide, "stagedAdoption", "stage"],
] as const;

export function checkSteps(documents: Documents): Faults {
  const faults = LISTS.flatMap(([path, list, number]) =>
    itemsOf(documents, path, list)?.some((item, i) => item[number] !== i + 1) === true
      ? [`${path.slice(1)}: its ${list} is not numbered in order`]
      : [],
  );
  const journey = itemsOf(documents, STUDIO, "journey")?.map(({ id }) => id);
  if (journey !== undefined && !isDeepStrictEqual(journey, [...JOURNEY]))
    faults.push(`${STUDIO.slice(1)}: its journey is not that of the contract`);
  return [...faults, ...checkPrompt(documents)];
}

const PROMPT = "resolve-at-durable-boundary";
const LINE = /^\d+\. .*$/gm;

/** The numbered lines of the prompt must be the last steps of the procedure. */
function checkPrompt(documents: Documents): Faults {
  const steps = itemsOf(documents, paths.capabilities, "decisionProcedure");
  const prompts = (documents.get(MCP_FILE) as MCPDefinition | undefined)?.prompts;
  if (steps === undefined || prompts === undefined) return [];
  const lines = prompts.find(({ name }) => name === PROMPT)?.text.match(LINE) ?? [];
  const due = steps
    .slice(-lines.length)
    .map(({ check, otherwise }, i) => `${i + 1}. ${String(check)}. Otherwise: ${String(otherwise)}.`);
  if (lines.length > 0 && isDeepStrictEqual([...lines], due)) return [];
  return [`${MCP_FILE.slice(1)}: its prompt ${PROMPT} does not check an answer as ${paths.capabilities.slice(1)} says`];
}

function itemsOf(documents: Documents, path: string, list: string): readonly Item[] | undefined {
  return memberAt(documents.get(path), list) as readonly Item[] | undefined;
}
