/**
 * Finds the client behind trusted proxies, only for the rate limit. Reads the fields from right to
 * left, as far as trusted proxies wrote them; an element that is not an address ends the search at
 * the proxy that sent it. A proxy may set one of the two fields and pass on the other from the
 * client, so if both are present and differ, neither counts.
 * Source: RFC 7239 §4, §6, §7.4; X-Forwarded-For as proxies write it.
 */
import { BlockList, isIP, SocketAddress } from "node:net";
import type { ClientAddress } from "../../node/request.ts";
import { SettingError } from "../../operations/settings.ts";

/** Parses addresses, prefixes (10.0.0.0/8) and `unix`, separated by commas. Throws SettingError. */
export function trustProxies(text: string): ClientAddress {
  const trusted = new BlockList();
  let trustsUnix = false;
  for (const item of text.split(",").map((part) => part.trim())) {
    if (item === "unix") trustsUnix = true;
    else addTo(trusted, item);
  }
  const isTrusted = (address: string | undefined): boolean =>
    address === undefined ? trustsUnix : trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  const walk = (peer: string | undefined, hops: readonly (string | undefined)[]): string | undefined => {
    let client = peer;
    for (const hop of hops.toReversed()) {
      if (!isTrusted(client) || hop === undefined) break;
      client = hop;
    }
    return client;
  };
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress);
    const { forwarded, "x-forwarded-for": listed } = headers;
    const found = [
      ...(forwarded === undefined ? [] : [walk(peer, parseForwarded(forwarded))]),
      ...(listed === undefined ? [] : [walk(peer, [listed].flat().join(",").split(",").map(parseNode))]),
    ];
    const [first = peer] = found;
    return found.every((one) => one === first) ? first : peer;
  };
}

function addTo(trusted: BlockList, item: string): void {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
  const version = isIP(address);
  const bits = Number(prefix ?? (version === 6 ? 128 : 32));
  if (version === 0 || bits > (version === 6 ? 128 : 32))
    throw new SettingError(`TRUSTED_PROXIES ${JSON.stringify(item)} is not an address, a prefix or unix`);
  trusted.addSubnet(address, bits, version === 6 ? "ipv6" : "ipv4");
}

/** Undoes the IPv6 form in which a dual-stack socket writes an IPv4 address. */
function plain(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=.*\.)/i, "");
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
// §4: a pair may be missing; RFC 9110 §5.6.1: so may an element.
const PAIR = new RegExp(`^\\s*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")\\s*)?(?:([;,])|$)`);

/**
 * The node of each element; undefined if the element names none. Returns an empty list if the field
 * is malformed.
 */
function parseForwarded(field: string): (string | undefined)[] {
  const nodes: (string | undefined)[] = [];
  let isNew = true;
  for (let rest = field; rest !== "";) {
    const [whole, name = "", token, quoted, end] = PAIR.exec(rest) ?? [];
    if (whole === undefined) return [];
    const node = parseNode(token ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
    if (name !== "" && isNew) nodes.push(undefined);
    if (name.toLowerCase() === "for") nodes.splice(-1, 1, node);
    isNew = end === "," || (isNew && name === "");
    rest = rest.slice(whole.length);
  }
  return nodes;
}

/**
 * The address of a node (RFC 7239 §6 or X-Forwarded-For, perhaps with a port), in the one form in
 * which sockets write it.
 */
function parseNode(text: string): string | undefined {
  const node = text.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(node) ?? [];
  const address = bracketed ?? dotted ?? node;
  const version = isIP(address);
  if (version === 6) return plain(new SocketAddress({ address, family: "ipv6" }).address);
  return version === 4 ? address : undefined;
}
