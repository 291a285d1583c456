/** The few things that an auditor reads out of a page. Every expression here takes time that is linear in it. */

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };

/** Text with the references of the pages resolved. */
export function decodeEntities(html: string): string {
  return html.replaceAll(/&(lt|gt|amp|quot|#39);/g, (_whole, name: string) => ENTITIES[name] ?? "");
}

/** Values of the attributes of these names. */
export function attributesOf(html: string, names: readonly string[]): string[] {
  const found = html.matchAll(new RegExp(`\\s(?:${names.join("|")})=(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "gi"));
  return [...found].map(([, double, single, bare]) => decodeEntities(double ?? single ?? bare ?? ""));
}
