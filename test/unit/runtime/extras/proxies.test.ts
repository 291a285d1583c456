/** The client behind proxies: only what trusted proxies wrote counts. */
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { trustProxies } from "../../../../runtime/extras/proxies/proxies.ts";
import { SettingError } from "../../../../runtime/operations/settings.ts";

const clientOf = (
  trusted: string,
  remoteAddress: string | undefined,
  headers: Record<string, string>,
): string | undefined => trustProxies(trusted)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

const PROXY = "10.0.0.1";

describe("X-Forwarded-For", () => {
  it.each([
    ["of one proxy is the client", "203.0.113.9", "203.0.113.9"],
    ["is read from the right: what a client wrote does not count", "192.0.2.66, 203.0.113.9", "203.0.113.9"],
    ["is read as far as proxies are trusted", "203.0.113.9, 10.9.9.9,10.0.0.2", "203.0.113.9"],
    ["of proxies alone is the first of them", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["may have ports", "203.0.113.9:4711", "203.0.113.9"],
    ["may have IPv6 with and without a port", "[2001:db8::9]:4711, 10.0.0.2", "2001:db8::9"],
    ["may have plain IPv6", "2001:db8::9", "2001:db8::9"],
    ["may have IPv4 in IPv6", "::ffff:203.0.113.9", "203.0.113.9"],
    ["may have IPv4 in IPv6 in hexadecimal", "0:0:0:0:0:FFFF:CB00:7109", "203.0.113.9"],
    ["may spell IPv6 in any way", "2001:0DB8:0000:0000::0009", "2001:db8::9"],
    ["ends where it is not an address", "203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"],
    ["that is empty counts for nothing", "", PROXY],
    ["of leading zeros is not an address", "203.0.113.09", PROXY],
  ])("%s: %s", (_what, value, client) => {
    expect(clientOf("10.0.0.0/8", PROXY, { "x-forwarded-for": value })).toBe(client);
  });
});

describe("Forwarded (RFC 7239)", () => {
  it.each([
    ["names the client", "for=203.0.113.9", "203.0.113.9"],
    ["ignores case and other parameters", "Proto=https;FOR=203.0.113.9;by=10.0.0.1", "203.0.113.9"],
    ["quotes what has a colon", 'for="[2001:db8::9]:4711"', "2001:db8::9"],
    ["is read from the right", 'for=192.0.2.66;host="a, for=192.0.2.67", for=203.0.113.9', "203.0.113.9"],
    ["is read as far as proxies are trusted", "for=203.0.113.9, for=10.0.0.2", "203.0.113.9"],
    ["ends at an obfuscated node", "for=203.0.113.9, for=_hidden, for=10.0.0.2", "10.0.0.2"],
    ["ends at an element that names no client", "for=203.0.113.9, proto=https", PROXY],
    ["may lack pairs (§4)", ";for=203.0.113.9;;proto=https;", "203.0.113.9"],
    ["may lack elements (RFC 9110 §5.6.1)", ", for=203.0.113.9 ,, for=10.0.0.2,;", "203.0.113.9"],
    ["counts for nothing where it does not parse", 'for=203.0.113.9, for="10.0.0.2', PROXY],
  ])("%s: %s", (_what, value, client) => {
    expect(clientOf("10.0.0.0/8", PROXY, { forwarded: value })).toBe(client);
  });

  it("and X-Forwarded-For count together only where they agree", () => {
    const both = (forwarded: string): string | undefined =>
      clientOf("10.0.0.0/8", PROXY, { forwarded, "x-forwarded-for": "203.0.113.9" });
    expect([both("for=203.0.113.9"), both("for=192.0.2.66")]).toEqual(["203.0.113.9", PROXY]);
  });
});

describe("a peer", () => {
  const headers = { "x-forwarded-for": "203.0.113.9" };

  it.each([
    ["is the client where it is not trusted", "10.0.0.0/8", "192.0.2.1", "192.0.2.1"],
    ["is trusted by its address alone", "10.0.0.2", PROXY, PROXY],
    ["is trusted as IPv4 in IPv6", "10.0.0.1", "::ffff:10.0.0.1", "203.0.113.9"],
    ["is trusted by a prefix of IPv6", "::1, 2001:db8::/32", "2001:db8::1", "203.0.113.9"],
    ["of a Unix socket has no address", "10.0.0.0/8", undefined, undefined],
    ["of a Unix socket is trusted by that word", "10.0.0.0/8,unix", undefined, "203.0.113.9"],
  ])("%s: %s", (...[, trusted, peer, client]) => {
    expect(clientOf(trusted, peer, headers)).toBe(client);
  });

  it.each(["proxy.example", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.1,,10.0.0.2", "10.0.0.1/-1"])(
    "is not named by %j",
    (text) => {
      expect(() => trustProxies(text)).toThrow(SettingError);
    },
  );
});
