/** A request gets one answer, whatever follows in its body; a refusal has its path's form. */
import net from "node:net";
import { describe, expect, it } from "vitest";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

/** Sends each piece once the one before it is answered or sent; gives all replies. */
function exchange(pieces: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const left = [...pieces];
    let received = "";
    const socket = net.connect(service.port, "127.0.0.1").setNoDelay();
    const sendNext = (): void => void (left.length > 0 && socket.write(left.shift() ?? ""));
    socket.on("connect", sendNext).on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      sendNext();
    });
    socket.on("close", () => resolve(received));
  });
}

function statusesOf(received: string): string[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = ""]) => status);
}

describe("a request whose body breaks after its answer", () => {
  const fields = "Host: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n";
  it.each([
    ["POST /mcp", "", "415"],
    ["GET /mcp", "", "405"],
    ["POST /mcp", "Origin: https://other.example\r\n", "403"],
    ["POST /mcp", "Expect: something\r\n", "417"],
    ["GET /robots.txt", "", "200"],
    ["PUT /robots.txt", "", "405"],
    ["OPTIONS /robots.txt", "", "204"],
    ["POST /nothing", "", "404"],
  ])("gets no second answer: %s %j", async (line, more, status) => {
    const received = await exchange([`${line} HTTP/1.1\r\n${fields}${more}\r\n`, "ZZ\r\n"]);
    expect(statusesOf(received)).toEqual([status]);
  });

  it("does not keep the next request from its answer where the body is whole", async () => {
    const refused = `POST /mcp HTTP/1.1\r\n${fields}\r\n`;
    const next = "GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    expect(statusesOf(await exchange([refused, `3\r\nabc\r\n0\r\n\r\n${next}`]))).toEqual(["415", "200"]);
  });
});

describe("a head that cannot be read", () => {
  const good = "GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const bad = (line: string): string => `${line} HTTP/1.1\r\nHost: localhost\r\nb@d name: 1\r\n\r\n`;
  const isJsonRpc = (received: string): boolean => {
    const last = received.slice(received.lastIndexOf("HTTP/1.1 "));
    expect(/Access-Control-Allow-Origin/i.test(last)).toBe(!last.includes('"jsonrpc"'));
    return last.includes('"jsonrpc"');
  };

  it.each([
    [bad("POST /mcp"), ["400"], true],
    [good + bad("POST /mcp"), ["200", "400"], true],
    [`\r\n${bad("POST /mcp?x")}`, ["400"], true],
    [bad("GET /robots.txt"), ["400"], false],
    [
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n${bad("GET /robots.txt")}`,
      ["415", "400"],
      false,
    ],
    [
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\nP\u00dcT /x HTTP/1.1\r\n\r\n",
      ["415", "400"],
      false,
    ],
    [`POST /mcp?${"a".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, ["431"], true],
  ] as const)(
    "M28: is refused in the form of its own path, not of the one before it: %j %j %j",
    async (sent, statuses, jsonRpc) => {
      const received = await exchange([sent]);
      expect([sent.slice(0, 80), statusesOf(received), isJsonRpc(received)]).toEqual([
        sent.slice(0, 80),
        statuses,
        jsonRpc,
      ]);
    },
  );
});
