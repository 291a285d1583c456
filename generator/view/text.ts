/** The parts of plain text documents: underlined headings, lines, lists. */

export function textSections(all: readonly (readonly [string, readonly string[]])[]): string {
  return all.map(([title, lines]) => `${title}\n${"-".repeat(title.length)}\n${lines.join("\n")}\n`).join("\n");
}

export function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}
