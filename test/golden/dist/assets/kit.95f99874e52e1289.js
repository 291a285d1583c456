/** Reads a kit: its ZIP, its files, and the digests it lists. */
const decoder = new TextDecoder();

/** Reads a kit: its files and the digests of SHA256SUMS by name; undefined if it cannot be read. */
export async function readKit(path) {
  try {
    const response = await fetch(path);
    if (!response.ok) return undefined;
    const zip = new Uint8Array(await response.arrayBuffer());
    const files = unpack(zip);
    const lines = decoder.decode(files.get("SHA256SUMS")).trimEnd().split("\n");
    return { zip, files, sums: new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)])) };
  } catch {
    return undefined;
  }
}

/** The files of a ZIP with stored entries, as kits have: bytes by path below the kit's root. */
function unpack(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  // The end record has no comment, so it is the last 22 bytes (APPNOTE 4.3.16).
  const end = zip.length - 22;
  const files = new Map();
  let entry = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [size, nameLength] = [view.getUint32(entry + 24, true), view.getUint16(entry + 28, true)];
    const local = view.getUint32(entry + 42, true);
    const name = decoder.decode(zip.subarray(entry + 46, entry + 46 + nameLength));
    if (view.getUint16(entry + 10, true) !== 0) throw new Error(`${name} is not stored`);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    files.set(name.slice(name.indexOf("/") + 1), zip.subarray(start, start + size));
    entry += 46 + nameLength + view.getUint16(entry + 30, true) + view.getUint16(entry + 32, true);
  }
  return files;
}

/** Lowercase hex; undefined if the browser has no digests: they need HTTPS or the same machine. */
export async function sha256(bytes) {
  if (crypto.subtle === undefined) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
