/** The parts of texts for agents, as plain text or as Markdown: headings, lines, lists, JSON. */

/** A line of text, or a value that is shown as JSON. */
export type Line = string | { readonly json: unknown };
export type Sections = readonly (readonly [title: string, lines: readonly Line[]])[];

export function textSections(all: Sections): string {
  return all.map(([title, lines]) => `${title}\n${"-".repeat(title.length)}\n${plain(lines)}\n`).join("\n");
}

function plain(lines: readonly Line[]): string {
  return lines
    .map((line) => (typeof line === "string" ? line : `\n${JSON.stringify(line.json)}\n`))
    .join("\n")
    .trimEnd();
}

/** The first title is that of the whole text. Lines are paragraphs; a list ends its section. */
export function markdownSections(all: Sections): string {
  const sections = all.map(([title, lines], i) => {
    const heading = `${i === 0 ? "#" : "##"} ${markdownOf(title)}`;
    return `${heading}\n\n${lines.map(block).join("\n").trimEnd()}\n`;
  });
  return sections.join("\n");
}

function block(line: Line): string {
  if (typeof line !== "string") return `\`\`\`json\n${JSON.stringify(line.json)}\n\`\`\`\n`;
  return markdownOf(line) + (line.startsWith("- ") ? "" : "\n");
}

/** The text as Markdown that shows it; an underscore within a word needs no escape. */
function markdownOf(text: string): string {
  return text.replaceAll(/[\\`*<[]|(?<!\w)_|_(?!\w)/g, "\\$&");
}

export function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}
