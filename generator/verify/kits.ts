/** The five kits: a ZIP has nothing but its files, and they are those that its own sums and this release say (O-41, O-42). */
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import yauzl, { type Entry } from "yauzl";
import { IntegrationKit, RECIPE_IDS, type RecipeId } from "../../runtime/contract/integration.ts";
import { parseJson } from "../../runtime/json.ts";
import { kitPath, paths, reportPath } from "../../runtime/policy.ts";
import { product } from "../../runtime/product.ts";
import type { RegistryIndex } from "../../runtime/registry-index.ts";
import { compileSchema, firstFault } from "../../runtime/validator.ts";
import type { Dist, Faults } from "./dist.ts";

/** Files of a kit below its folder. */
type Files = ReadonlyMap<string, Buffer>;

const parseManifest = compileSchema(IntegrationKit);
const SUMS = "SHA256SUMS";

export async function checkKits(dist: Dist): Promise<Faults> {
  const faults: Faults = [];
  for (const id of RECIPE_IDS) {
    const place = kitPath(id).slice(1);
    const bytes = dist.read(place);
    // What is missing is told with the manifest.
    if (bytes === undefined) continue;
    const kit = await readKit(Buffer.from(bytes), `service-semantics-${id}/`);
    const found = typeof kit === "string" ? [kit] : [...checkInside(kit), ...checkAgainst(kit, dist, id)];
    faults.push(...found.map((text) => `${place}: ${text}`));
  }
  return faults;
}

/** The files of a ZIP, or what is wrong with it. */
async function readKit(bytes: Buffer, root: string): Promise<Files | string> {
  const files = new Map<string, Buffer>();
  try {
    const zip = await yauzl.fromBufferPromise(bytes, { strictFileNames: true, decodeStrings: true });
    let expected = END_BYTES;
    let previous = "";
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry;
      const fault = faultOfEntry(entry);
      if (fault !== undefined) return `${fileName}: ${fault}`;
      if (!fileName.startsWith(root)) return `${fileName}: not in its folder`;
      if (fileName <= previous) return `${fileName}: not in byte order`;
      previous = fileName;
      expected += LOCAL_BYTES + CENTRAL_BYTES + 2 * Buffer.byteLength(fileName) + entry.compressedSize;
      files.set(fileName.slice(root.length), await buffer(await zip.openReadStreamPromise(entry)));
    }
    return expected === bytes.length ? files : "holds bytes that belong to no file";
  } catch (error) {
    return `cannot be read (${(error as Error).message})`;
  }
}

/** Sizes of the fixed parts of a ZIP (APPNOTE 4.3.7, 4.3.12, 4.3.16). */
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;

const [year = 0, month = 0, day = 0] = product.updated.split("-").map(Number);
/** APPNOTE 4.4.6: noon of the label's date. */
const DOS_DATE = ((year - 1980) << 9) | (month << 5) | day;
const DOS_TIME = 12 << 11;

function faultOfEntry(entry: Entry): string | undefined {
  const {
    compressionMethod,
    lastModFileDate,
    lastModFileTime,
    externalFileAttributes,
    extraFieldLength,
    generalPurposeBitFlag,
  } = entry;
  if (compressionMethod !== 0) return "is compressed";
  if (lastModFileDate !== DOS_DATE || lastModFileTime !== DOS_TIME) return "has another date than the release";
  const mode = externalFileAttributes >>> 16;
  if (mode !== 0o100644 && mode !== 0o100755) return "has another mode than 0644 or 0755";
  if (extraFieldLength !== 0 || entry.fileCommentLength !== 0) return "has more than a name";
  return generalPurposeBitFlag === 0x800 ? undefined : "has other flags than that of UTF-8 names";
}

/** The kit by itself: its sums, its manifest. */
function checkInside(files: Files): Faults {
  const faults: Faults = [];
  const lines = [...files]
    .filter(([name]) => name !== SUMS)
    .map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  if (files.get(SUMS)?.toString() !== lines.join("")) faults.push(`${SUMS} is not that of its files`);
  const json = parseJson(files.get("manifest.json") ?? new Uint8Array());
  const reading = json.ok ? parseManifest(json.value) : undefined;
  if (reading?.ok !== true) {
    faults.push(
      reading === undefined
        ? "manifest.json is not JSON"
        : `manifest.json: ${firstFault(reading.violations, "", "it")}`,
    );
    return faults;
  }
  const listed = reading.value.files.map(({ path, bytes, sha256 }) => `${sha256} ${bytes} ${path}`);
  const found = [...files]
    .filter(([name]) => !["manifest.json", SUMS].includes(name))
    .map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")} ${bytes.length} ${name}`);
  if (!isDeepStrictEqual(listed, found)) faults.push("manifest.json does not list its files");
  return faults;
}

/** The kit beside the release it is of. */
function checkAgainst(files: Files, dist: Dist, id: RecipeId): Faults {
  const faults: Faults = [];
  const same = (name: string, place: string): void => {
    const other = dist.read(place.slice(1));
    if (other !== undefined && files.get(name)?.equals(other) !== true) faults.push(`${name} is not ${place.slice(1)}`);
  };
  same("report.json", reportPath(id));
  same("tool.json", paths.agentTool);
  const classifier = dist.names.find((name) => name.startsWith(`${paths.assets.slice(1)}/classify.`));
  if (classifier !== undefined) same("node/classify.mjs", `/${classifier}`);
  const manifest = jsonOf(files.get("manifest.json"));
  if (manifest?.["canonicalOrigin"] !== dist.manifest?.origin) faults.push("manifest.json: another origin");
  if (manifest?.["recipeId"] !== id) faults.push("manifest.json: another recipe");
  if (!isDeepStrictEqual(manifest?.["release"], product)) faults.push("manifest.json: not the label of this release");
  const fragment = jsonOf(files.get("openapi.json"));
  const whole = jsonOf(dist.read(paths.openapi.slice(1)));
  if (whole !== undefined && !isPart(fragment, whole)) faults.push("openapi.json is not a part of openapi.json");
  if (dist.index !== undefined) faults.push(...checkExcerpt(files, dist.index));
  return faults;
}

/** Each line of the excerpt is the published detail of its concept. */
function checkExcerpt(files: Files, index: RegistryIndex): Faults {
  const lines = files.get("registry-excerpt.ndjson")?.toString().split("\n").slice(0, -1) ?? [];
  const odd = lines.filter((line) => {
    const code = jsonOf(Buffer.from(line))?.["code"];
    const id = typeof code === "string" ? index.conceptId(code) : undefined;
    return id === undefined || Buffer.from(index.read(index.concept(id).detail)).toString() !== `${line}\n`;
  });
  return odd.length === 0 ? [] : ["registry-excerpt.ndjson holds what the registry does not publish"];
}

function jsonOf(bytes: Uint8Array | undefined): Record<string, unknown> | undefined {
  const json = parseJson(bytes ?? new Uint8Array());
  const isObject = json.ok && typeof json.value === "object" && json.value !== null;
  return isObject ? (json.value as Record<string, unknown>) : undefined;
}

/** Whether a value is another one with members left out. */
function isPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item) => whole.some((other) => isDeepStrictEqual(item, other)));
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([name, inner]) => isPart(inner, (whole as Record<string, unknown>)[name]));
}
