/** A registry that a command is to change, read from its folder. */
import { readWithProgress } from "../registry/load.ts";
import type { EditableSource } from "../vocabulary/edit/edit.ts";
import type { Outside } from "./command.ts";
import { requireDirectory } from "./options.ts";
import { reportErrors } from "./report.ts";

/** Undefined where its registry.yaml cannot be read, which is then reported. */
export function readEditable({ effects, console }: Outside, directory: string): EditableSource | undefined {
  requireDirectory(effects, "registry", directory);
  const { registry, ...source } = readWithProgress(effects, directory, (text) => console.progress(text));
  if (registry !== undefined) return { ...source, registry };
  reportErrors(console, directory, source.findings);
  return undefined;
}
