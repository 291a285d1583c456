/**
 * The procedure by which agents decide, as the agent contract says it: its steps are numbered in their order, and those that
 * read an answer are the numbered lines of the prompt that asks. What only the contract says, a rebuild tells.
 */
import { isDeepStrictEqual } from "node:util";
import type { MCPDefinition } from "../../../runtime/contract/mcp.ts";
import { MCP_FILE, paths } from "../../../runtime/contract/policy.ts";
import { memberAt } from "../integrity/json.ts";
import type { Documents, Faults } from "../integrity/parts.ts";

interface Step {
  readonly step: number;
  readonly check: string;
  readonly otherwise: string;
}

const PROMPT = "resolve-at-durable-boundary";
const LINE = /^\d+\. .*$/gm;

export function checkProcedure(documents: Documents): Faults {
  const steps = memberAt(documents.get(paths.capabilities), "decisionProcedure") as readonly Step[] | undefined;
  if (steps === undefined) return [];
  const faults: Faults = [];
  if (steps.some(({ step }, i) => step !== i + 1))
    faults.push(`${paths.capabilities.slice(1)}: the steps of its decisionProcedure are not in order`);
  const prompts = (documents.get(MCP_FILE) as MCPDefinition | undefined)?.prompts ?? [];
  const lines = prompts.find(({ name }) => name === PROMPT)?.text.match(LINE) ?? [];
  const last = steps
    .slice(-lines.length)
    .map(({ check, otherwise }, i) => `${i + 1}. ${check}. Otherwise: ${otherwise}.`);
  if (lines.length === 0 || !isDeepStrictEqual([...lines], last))
    faults.push(
      `${MCP_FILE.slice(1)}: its prompt ${PROMPT} does not check an answer as ${paths.capabilities.slice(1)} says`,
    );
  return faults;
}
