/** Lower-case ASCII words with hyphens between them; letters lose their accents. */
export function hyphenated(text: string): string {
  const bare = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return bare.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
