/** What the environment sets: where to listen, whom to limit, and one line for what is wrong. */
import { describe, expect, it } from "vitest";
import { readSettings, SettingError } from "../../../../runtime/operations/settings.ts";

const read = (env: Record<string, string>, node = "24.21.0") =>
  readSettings(env, { pid: 7, platform: "linux", versions: { ...process.versions, node } });

describe("the settings", () => {
  it.each([
    [{}, { host: "127.0.0.1", port: 8080 }],
    [
      { HOST: "::", PORT: "80" },
      { host: "::", port: 80 },
    ],
    [{ HOST: "unix:/run/words/http.sock" }, { path: "/run/words/http.sock" }],
    [{ REUSE_PORT: "1" }, { host: "127.0.0.1", port: 8080, reusePort: true }],
    [{ LISTEN_FDS: "1", LISTEN_PID: "7", HOST: "::" }, { fd: 3 }],
    // They were meant for the process that started this one.
    [
      { LISTEN_FDS: "1", LISTEN_PID: "6" },
      { host: "127.0.0.1", port: 8080 },
    ],
  ])("give the address to listen at: %j", (env, address) => {
    expect(read(env).address).toEqual(address);
  });

  it.each([
    ["", undefined],
    ["127.0.0.1:9464", { host: "127.0.0.1", port: 9464 }],
    ["localhost:0", { host: "localhost", port: 0 }],
    ["[::1]:9464", { host: "::1", port: 9464 }],
    ["unix:/run/admin.sock", { path: "/run/admin.sock" }],
  ])("give the address of the admin listener: %j", (text, address) => {
    expect(read({ ADMIN_ADDRESS: text }).admin).toEqual(address);
  });

  it.each([
    [{}, undefined],
    [{ HOST: "localhost", RATE_LIMIT_PER_SECOND: "", RATE_LIMIT_BURST: "1" }, undefined],
    [{ HOST: "unix:/x" }, undefined],
    [
      { HOST: "unix:/x", TRUSTED_PROXIES: "unix" },
      { perSecond: 100, burst: 200 },
    ],
    [{ TRUSTED_PROXIES: "127.0.0.1" }, { perSecond: 100, burst: 200 }],
    [{ HOST: "0.0.0.0" }, { perSecond: 100, burst: 200 }],
    [
      { LISTEN_FDS: "1", LISTEN_PID: "7" },
      { perSecond: 100, burst: 200 },
    ],
    [{ HOST: "0.0.0.0", RATE_LIMIT_PER_SECOND: "0" }, undefined],
    [
      { RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "2" },
      { perSecond: 1, burst: 2 },
    ],
    [{ RATE_LIMIT_PER_SECOND: "500" }, { perSecond: 500, burst: 500 }],
  ])("O-56: limit clients that may be others than this machine: %j", (env, rate) => {
    expect(read(env).rate).toEqual(rate);
  });

  it.each([
    [{ HOST: `unix:/${"é".repeat(60)}` }, /^HOST "[^"]+" is longer than 107 bytes/],
    [{ HOST: "unix:http.sock" }, /^HOST "unix:http\.sock" is not an absolute path such as unix:/],
    [{ ADMIN_ADDRESS: "9464" }, /^ADMIN_ADDRESS "9464" is not an address such as 127\.0\.0\.1:9464$/],
    [{ ADMIN_ADDRESS: "127.0.0.1:65536" }, /^ADMIN_ADDRESS/],
    [{ ADMIN_ADDRESS: "::1:9464" }, /^ADMIN_ADDRESS/],
    [{ LISTEN_FDS: "2", LISTEN_PID: "7" }, /^LISTEN_FDS "2": the service takes one socket$/],
    [{ DRAIN_DELAY_MS: "1s" }, /^DRAIN_DELAY_MS "1s" is not a whole number from 0 to 600000$/],
    [{ KEEP_ALIVE_TIMEOUT_MS: "0" }, /^KEEP_ALIVE_TIMEOUT_MS "0" is not a whole number from 1000 to 3600000$/],
    [{ KEEP_ALIVE_TIMEOUT_MS: "60s" }, /^KEEP_ALIVE_TIMEOUT_MS "60s" is not a whole number/],
    [{ LOG_FORMAT: "xml" }, /^LOG_FORMAT "xml" is not text or json$/],
    [{ REUSE_PORT: "yes" }, /^REUSE_PORT "yes" is not 0 or 1$/],
  ])("are refused with one line that says what is wrong: %j", (env, message) => {
    expect(() => read(env)).toThrow(SettingError);
    expect(() => read(env)).toThrow(message);
  });

  it.each([
    ["20.19.0", false],
    ["22.11.0", false],
    ["22.12.0", true],
    ["23.0.0", false],
    ["23.1.0", true],
    ["26.10.0", true],
  ])("refuse REUSE_PORT where Node would ignore it: %s", (version, isTaken) => {
    const taken = (): unknown => read({ REUSE_PORT: "1" }, version);
    if (isTaken) expect(taken).not.toThrow();
    else expect(taken).toThrow(`REUSE_PORT needs Node.js 22.12, 23.1 or newer, and this is ${version}`);
  });
});
