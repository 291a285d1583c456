/**
 * The operating rules as an agent skill, `SKILL.md`, and `/.well-known/agent-skills/index.json`,
 * which names it with the digest of its bytes. The skill has the name of this service, so that an
 * agent can keep those of several services. Source: Agent Skills Discovery 0.2.0; agentskills.io.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import type { SkillsIndex } from "../contract/agent-discovery.ts";
import type { Examples } from "../view/examples.ts";
import { markdownSections } from "../view/text.ts";
import type { View } from "../view/view.ts";
import { operatingRules } from "./agent.ts";

/** Where the folders of skills are; the name of a skill is that of its folder. */
export function skillPath({ about }: View): string {
  return `${paths.skills}/${about.serverName}/SKILL.md`;
}

/** The longest description that the format allows, in characters. */
const DESCRIPTION_MAX = 1024;

/** When to load the skill: often all that an agent reads of it. */
function skillDescription({ about }: View): string {
  const use =
    "Use it before an expression of this vocabulary becomes durable: memory, records, routing, handoffs, evidence.";
  const all = `How to get the stable ConceptCode of an exact expression from ${about.name}. ${about.vocabulary} ${use}`;
  return Array.from(all).length > DESCRIPTION_MAX ? `${about.name}. ${use}` : all;
}

/** JSON is YAML, so a text with any character can be in the front matter. */
export function skill(view: View, examples: Examples): string {
  const head = { name: view.about.serverName, description: skillDescription(view) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n\n${markdownSections(operatingRules(view, examples))}`;
}

export function skillsIndex(view: View, examples: Examples): SkillsIndex {
  return {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [
      {
        name: view.about.serverName,
        type: "skill-md",
        description: skillDescription(view),
        url: skillPath(view),
        digest: `sha256:${sha256(Buffer.from(skill(view, examples)))}`,
      },
    ],
  };
}
