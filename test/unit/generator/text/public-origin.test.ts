import { expect, it } from "vitest";
import { isPublicOrigin, originNotices } from "../../../../generator/text/public-origin.ts";

it.each([
  "http://127.0.0.1:8080",
  "http://127.8.8.8",
  "http://localhost:3000",
  "https://words.localhost",
  "http://[::1]:8080",
  "http://[fd00::1]",
  "http://[fe80::1]",
  "http://0.0.0.0:80",
  "http://10.1.2.3",
  "http://172.31.0.1",
  "http://192.168.1.20:8080",
  "http://169.254.1.1",
  "http://build-host:8080",
  "http://printer.local",
])("an export for %s gets a notice that it leads nowhere on other machines", (origin) => {
  expect(isPublicOrigin(origin)).toBe(false);
  expect(originNotices("the export", origin)).toEqual([
    expect.stringMatching(/^Notice: IRIs in the export begin with http.* set origin in service\.yaml, /),
  ]);
});

it.each([
  "https://words.example",
  "http://8.8.8.8",
  "http://172.32.0.1",
  "http://100.128.0.1",
  "http://192.0.3.1",
  "https://localhost.example.org",
  "https://127.example.org",
  "http://[2001:db8::1]",
])("an export for %s gets no notice", (origin) => {
  expect(originNotices("the export", origin)).toEqual([]);
});
