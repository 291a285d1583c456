/**
 * The order of names for people, the same on every machine: letters without accents and case, by
 * code point. A browser would know the alphabet of each language, but that knowledge differs by
 * version, and these are bytes of a release.
 */

/** The key that a name is sorted by; names that begin with a letter come last. */
export function nameKey(name: string): string {
  const key = name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    // With upper case first, ß becomes ss.
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
  return /^\p{L}/u.test(key) ? key : ` ${key}`;
}

/** The letter under which a key is listed. */
export function letterOf(key: string): string {
  const [first = " "] = key;
  return first === " " ? "#" : first.toUpperCase();
}
