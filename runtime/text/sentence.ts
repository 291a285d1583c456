/** Text for a caller: one short line, whatever part of the request it quotes. */

const MAX_LENGTH = 300;

/** The text on one line, cut if long; controls and line separators are escaped as in JSON. */
export function toSentence(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text;
  return cut.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
