/** Texts of two releases that were built for two origins: each with its own replaced, only real differences remain. */

/** What stands for the origin. No builder writes it, so it is never taken for what a release says by itself. */
const PLACEHOLDER = "⟨origin⟩";

/** A function that replaces an origin wherever it stands whole: not as the beginning of another host or port. */
export function originReplacer(origin: string | null): (text: string) => string {
  if (origin === null) return (text) => text;
  const whole = new RegExp(`${origin.replaceAll(/[^\w:/-]/g, String.raw`\$&`)}(?![\\w-]|[.:]\\w)`, "g");
  return (text) => text.replaceAll(whole, PLACEHOLDER);
}
