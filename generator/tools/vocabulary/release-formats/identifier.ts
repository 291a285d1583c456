/**
 * The identifier of a code in a program: `-` becomes `_`, `.` becomes `__`, `_` becomes `___`. A
 * code never has two of these in a row or at an end (runtime/contract/code.ts), so two codes never
 * have the same identifier. It begins with a capital letter and has no small one, so it is not a
 * keyword in TypeScript or Python. It depends only on the code, so no release changes it.
 */
export function identifierOf(code: string): string {
  return code.replaceAll(/[-._]/g, (separator) => UNDERSCORES[separator] ?? separator);
}

const UNDERSCORES: Readonly<Record<string, string>> = { "-": "_", ".": "__", _: "___" };
