/** Who may use `POST /mcp`, by Host and Origin, and what a request target says. */
import { describe, expect, it } from "vitest";
import { type Caller, isLoopbackAddress, refuseCaller } from "../../../../runtime/http/caller.ts";
import { authorityOf, originForm } from "../../../../runtime/http/target.ts";

const SERVED = "https://registry.example";
const HOST = /Host/;
const ORIGIN = /Origin/;

/** Why a caller is refused, if it is; by default from another machine and without an Origin. */
function refusal(caller: Partial<Caller>, served = SERVED): string | undefined {
  return refuseCaller({ authority: "registry.example", origin: undefined, overLoopback: false, ...caller }, served);
}

/** Shows every caller that is not refused for this. */
function expectRefused(callers: readonly Partial<Caller>[], why: RegExp): void {
  expect(callers.filter((caller) => !why.test(refusal(caller) ?? ""))).toEqual([]);
}

describe("the Host of a request", () => {
  it.each([
    "registry.example",
    "registry.example:443",
    "Registry.EXAMPLE",
    // RFC 3986 §3.2.3: the default port, given as empty.
    "registry.example:",
  ])("O-55: may be that of the service: %s", (authority) => {
    expect(refusal({ authority })).toBeUndefined();
    expect(refusal({ authority, overLoopback: true })).toBeUndefined();
  });

  it.each([
    undefined,
    "",
    " ",
    "evil.example",
    "evil.example:443",
    "evil.example#localhost",
    "registry.example.evil.example",
    "evil-registry.example",
    "sub.registry.example",
    "example",
    "registry.example:0443",
    "registry%2Eexample",
    "registry.example:444",
    "registry.example:80",
    "registry.example:65979",
    "registry.example:443:443",
    "registry.example:x",
    "registry.example.",
    "registry.example/",
    "registry.example//",
    "registry.example/mcp",
    "registry.example?",
    "registry.example?x",
    "registry.example#",
    "registry.example\\",
    "registry.example\\@evil.example",
    "evil.example\\@registry.example",
    "user@registry.example",
    "registry.example@evil.example",
    "registry.example%40evil.example",
    "evil.example%23registry.example",
    "registry.example%2F",
    "registry.example%00",
    "registry.example, registry.example",
    "registry.example,registry.example",
    "registry.example, evil.example",
    "registry.example, localhost",
    "evil.example,registry.example",
    " registry.example",
    "registry.example ",
    "regis\ttry.example",
    "registry.example\r\n",
    "https://registry.example",
    "//registry.example",
    "[registry.example]",
    "192.0.2.1",
    "[2001:db8::1]",
    "[::ffff:10.0.0.1]",
    "localhost:x",
    "null",
    "*",
  ])("O-55: may not be another: %j", (authority) => {
    expect(refusal({ authority })).toMatch(HOST);
    expect(refusal({ authority, overLoopback: true })).toMatch(HOST);
    expect(refusal({ authority, origin: SERVED })).toMatch(HOST);
  });

  it.each([
    ["http://registry.example", "registry.example", true],
    ["http://registry.example", "registry.example:80", true],
    ["http://registry.example", "registry.example:443", false],
    ["https://registry.example:8443", "registry.example:8443", true],
    ["https://registry.example:8443", "registry.example", false],
    ["https://registry.example:8443", "registry.example:443", false],
    ["http://192.0.2.1:8080", "192.0.2.1:8080", true],
    ["http://192.0.2.1:8080", "192.0.2.1", false],
    ["http://192.0.2.1:8080", "192.0.2.10:8080", false],
    ["https://[2001:db8::1]", "[2001:db8::1]", true],
    ["https://[2001:db8::1]", "[2001:DB8::1]:443", true],
    ["https://[2001:db8::1]", "[2001:db8:0:0:0:0:0:1]", false],
    ["https://[2001:db8::1]", "[2001:db8::2]", false],
    ["https://[2001:db8::1]", "2001:db8::1", false],
    ["https://xn--bcher-kva.example", "xn--bcher-kva.example", true],
    ["https://xn--bcher-kva.example", "xn--bcher.example", false],
    ["http://127.0.0.1:8080", "127.0.0.1:8080", true],
    ["http://127.0.0.1:8080", "localhost:8080", false],
    ["http://127.0.0.1:8080", "127.0.0.1:8081", false],
    ["http://localhost:8080", "localhost:8080", true],
    ["http://localhost:8080", "localhost:9000", false],
  ])("O-55: at %s, %s from another machine: %s", (served, authority, allowed) => {
    expect(refusal({ authority }, served) === undefined).toBe(allowed);
  });
});

describe("the loopback names", () => {
  const ours = ["localhost", "localhost:8080", "LocalHost:1", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:8080"];
  const others = [
    // The same interface to a URL parser, but nobody writes it so.
    "127.1",
    "0x7f.1:8080",
    "0177.0.0.1",
    "2130706433",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]:8080",
    "127.0.0.1.",
    "local%68ost",
    "localhost.",
    "localhost.evil.example",
    "evil.localhost",
    "localhost.localdomain",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io:8080",
    "127.0.0.2",
    "127.0.0.0",
    "0.0.0.0:8080",
    "[::]",
    "[::2]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "::1",
    "::1:8080",
    "localhost:99999",
    "localhost@evil.example",
    "evil.example@localhost",
    "user:password@127.0.0.1:8080",
    "localhost\\.evil.example",
    "localhost/",
    "localhost, evil.example",
    "localhost,localhost",
    "ip6-localhost",
    "",
  ];

  it("O-55: are ours over a loopback connection, with any port", () => {
    for (const served of [SERVED, "http://127.0.0.1:8080"]) {
      for (const authority of ours)
        expect([authority, refusal({ authority, overLoopback: true }, served)]).toEqual([authority, undefined]);
    }
  });

  it("O-55: are not ours over another connection", () => {
    expectRefused(
      ours.map((authority) => ({ authority, overLoopback: false })),
      HOST,
    );
  });

  it("O-55: are exactly these three, and nothing that looks like them", () => {
    for (const overLoopback of [true, false])
      expectRefused(
        others.map((authority) => ({ authority, overLoopback })),
        HOST,
      );
  });

  it("O-55: may be the origin of a page over a loopback connection, in http and https, and over no other", () => {
    const origins = ours.flatMap((name) => [`http://${name}`, `https://${name}`]);
    for (const origin of origins)
      expect([origin, refusal({ origin, overLoopback: true })]).toEqual([origin, undefined]);
    expectRefused(
      origins.map((origin) => ({ origin, overLoopback: false })),
      ORIGIN,
    );
    expectRefused(
      others.map((name) => ({ origin: `http://${name}`, overLoopback: true })),
      ORIGIN,
    );
  });
});

describe("the Origin of a request", () => {
  it.each([undefined, "https://registry.example", "https://registry.example:443", "HTTPS://Registry.Example"])(
    "O-55: may be missing or that of the service: %s",
    (origin) => {
      expect(refusal({ origin })).toBeUndefined();
      expect(refusal({ origin, overLoopback: true })).toBeUndefined();
    },
  );

  it.each([
    "",
    " ",
    "null",
    "NULL",
    "*",
    "registry.example",
    "//registry.example",
    "http://registry.example",
    "https://registry.example:8443",
    "https://evil.example",
    "https://evil.example/https://registry.example",
    "http://localhost.evil.example",
    "http://localhost:1@evil.example",
    "https://registry.example.evil.example",
    "https://sub.registry.example",
    "https://registry.example.",
    "https://registry.example/",
    "https://registry.example//",
    "https://registry.example/mcp",
    "https://registry.example/x",
    "https://registry.example?",
    "https://registry.example#",
    "https://registry.example\\",
    "https:\\\\registry.example",
    "https:registry.example",
    "https:///registry.example",
    "https://user@registry.example",
    "https://registry.example@evil.example",
    "https://registry.example%40evil.example",
    "https://registry.example, https://registry.example",
    "https://registry.example,https://registry.example",
    "https://registry.example https://evil.example",
    "https://registry.example, https://evil.example",
    "https://evil.example, https://registry.example",
    "https://regis\ntry.example",
    "https://",
    "https://[::1",
    "file://",
    "ftp://registry.example",
    "ftp://localhost",
    "ws://registry.example",
    "wss://registry.example",
    "moz-extension://registry.example",
    "chrome-extension://abc",
    "javascript:alert(1)",
  ])("O-55: may not be another: %j", (origin) => {
    expect(refusal({ origin })).toMatch(ORIGIN);
    expect(refusal({ origin, authority: "localhost", overLoopback: true })).toMatch(ORIGIN);
  });

  it("O-55: does not admit a Host of another origin, which is refused first", () => {
    expect(refusal({ authority: "evil.example", origin: "https://evil.example" })).toMatch(HOST);
    expect(refusal({ authority: undefined, origin: undefined })).toMatch(HOST);
  });

  it("O-55: is refused in a sentence that repeats nothing of what was sent", () => {
    for (const sent of ["evil.example", "<script>", "secret"]) {
      expect(refusal({ authority: sent })).not.toContain(sent);
      expect(refusal({ origin: `https://${sent}` })).not.toContain(sent);
    }
  });
});

describe("a loopback address", () => {
  it.each(["127.0.0.1", "127.0.0.2", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:127.1.2.3"])(
    "is %s",
    (address) => {
      expect(isLoopbackAddress(address)).toBe(true);
    },
  );

  it.each([
    undefined,
    "",
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "192.168.127.1",
    "128.0.0.1",
    "12.7.0.1",
    "1.127.0.1",
    "::2",
    "::10",
    "::1:1",
    "2001:db8::1",
    "fe80::1",
    "fe80::1%lo",
    "::ffff:10.0.0.1",
    "::ffff:0.0.0.0",
    "::127.0.0.1",
    "1::ffff:127.0.0.1",
  ])("is not %s", (address) => {
    expect(isLoopbackAddress(address)).toBe(false);
  });
});

describe("a request target", () => {
  it.each([
    // RFC 9112 §3.2.1: a path stays as it is, whatever it looks like.
    ["/", "/", undefined],
    ["/mcp", "/mcp", undefined],
    ["/mcp?a=http://b/c", "/mcp?a=http://b/c", undefined],
    ["//registry.example/mcp", "//registry.example/mcp", undefined],
    ["/http://registry.example/mcp", "/http://registry.example/mcp", undefined],
    // §3.2.2: the absolute form.
    ["http://registry.example/mcp", "/mcp", "registry.example"],
    ["https://registry.example:8443/mcp?a", "/mcp?a", "registry.example:8443"],
    ["HTTP://Registry.Example/MCP", "/MCP", "Registry.Example"],
    ["http://registry.example", "/", "registry.example"],
    ["http://registry.example/", "/", "registry.example"],
    ["http://registry.example//mcp", "//mcp", "registry.example"],
    ["http://[::1]:8080/mcp", "/mcp", "[::1]:8080"],
    ["http://user@registry.example/mcp", "/mcp", "user@registry.example"],
    ["http://a.example/http://b.example/", "/http://b.example/", "a.example"],
    // RFC 9110 §4.2.3: an empty path is the path /.
    ["http://registry.example?a=/mcp", "/?a=/mcp", "registry.example"],
    // What is neither names no host.
    ["*", "*", undefined],
    ["mcp", "mcp", undefined],
    ["ftp://registry.example/mcp", "ftp://registry.example/mcp", undefined],
    ["xhttp://registry.example/mcp", "xhttp://registry.example/mcp", undefined],
    ["http:/registry.example/mcp", "http:/registry.example/mcp", undefined],
  ])("%s is for the path %s of the host %s", (target, path, authority) => {
    expect([originForm(target), authorityOf(target)]).toEqual([path, authority]);
  });

  it("O-55: that names a host is compared instead of Host, and an unreadable one is refused", () => {
    const targets = ["http://user@registry.example/mcp", "http:///mcp", "https://evil.example/mcp"];
    expectRefused(
      targets.map((target) => ({ authority: authorityOf(target) })),
      HOST,
    );
    expect(refusal({ authority: authorityOf("http://registry.example:443/mcp") })).toBeUndefined();
  });
});
