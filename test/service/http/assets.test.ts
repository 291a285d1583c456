/** The assets of the pages. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRelease } from "../../../runtime/release/release.ts";
import { empty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ownRelease } from "../../support/release.ts";
import { listen } from "../../support/service.ts";
import { sha256 } from "../../support/sha256.ts";

import { BROWSER, expectRefusal, fieldsOf, header, service, words, useService } from "../../support/representations.ts";

useService();

describe("assets", () => {
  const types: Readonly<Record<string, RegExp>> = {
    css: /^text\/css; charset=utf-8$/,
    // RFC 9239 §6: text/javascript is the one to use, application/javascript an alias.
    js: /^(?:text|application)\/javascript; charset=utf-8$/,
    svg: /^image\/svg\+xml$/,
  };

  it("are those that the pages name, each named by its digest, with its media type, immutable for a year", async () => {
    const namedBy = async (target: string): Promise<string[]> =>
      (await service.send("GET", target, { headers: { accept: BROWSER } })).body
        .toString()
        .match(/\/assets\/[\w.-]+/g) ?? [];
    const everywhere = new Set(await namedBy("/coverage"));
    const pages = await Promise.all(words("/ /answers /integration-studio").map(namedBy));
    const named = new Set(pages.flat());
    const served = [...service.release.assets.keys()];
    const kindOf = (target: string): string => target.replace(/\.[0-9a-f]{16}(?=\.)/, "");
    // Pages of concepts prove with a transparency log, which this site does not have.
    const proving = ["/assets/proof.js", "/assets/verifier.js"];
    const unnamed = served.filter((target) => proving.includes(kindOf(target)));
    expect([...named, ...unnamed].toSorted()).toEqual(served.toSorted());
    expect([...everywhere].map(kindOf).toSorted()).toEqual(
      words(
        "/assets/find.js /assets/icon.svg /assets/minisearch.js /assets/resolver.js /assets/site.css /assets/site.js /assets/tree.js",
      ),
    );
    // Those of the content, and the programs that the build adds.
    expect(served.map(kindOf).toSorted()).toEqual(
      [...readdirSync("content/assets"), "classify.js", "minisearch.js", "outcome.js", "resolver.js", "verifier.js"]
        .map((name) => `/assets/${name}`)
        .toSorted(),
    );
    for (const target of words("/answers /api-reference /mcp-guide /concepts /resolve /concepts/N-TAXI")) {
      const shared = (await namedBy(target)).filter((name) => kindOf(name) !== "/assets/contents.js");
      expect(new Set(shared)).toEqual(everywhere);
    }
    for (const target of served) {
      const reply = await service.send("GET", target);
      expect([target, reply.status]).toEqual([target, 200]);
      expect(header(reply, "content-type")).toMatch(types[target.split(".").at(-1) ?? ""] ?? /^$/);
      expect(header(reply, "cache-control")).toBe("public, max-age=31536000, immutable, no-transform");
      expect(target).toContain(`.${sha256(reply.body).slice(0, 16)}.`);
      expect(header(reply, "content-length")).toBe(String(reply.body.length));
      for (const absent of ["etag", "last-modified", "accept-ranges", "set-cookie"]) {
        expect(reply.headers).not.toHaveProperty(absent);
      }
    }
  });

  it("O-60 O-66 O-67: answer HEAD and OPTIONS, are sent whole and uncoded, and refuse other methods with 405", async () => {
    for (const target of service.release.assets.keys()) {
      const plain = await service.send("GET", target);
      const head = await service.send("HEAD", target);
      expect([head.status, head.body.length, fieldsOf(head)]).toEqual([200, 0, fieldsOf(plain)]);
      for (const fields of [
        { range: "bytes=0-3" },
        { "accept-encoding": "br, gzip" },
        { accept: "image/png" },
        { host: "x" },
      ]) {
        const reply = await service.send("GET", target, { headers: fields });
        expect([target, fields, reply.status, reply.body.equals(plain.body)]).toEqual([target, fields, 200, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
      const options = await service.send("OPTIONS", target);
      expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
      for (const method of ["PUT", "POST", "PATCH", "DELETE", "TRACE"]) {
        const reply = await service.send(method, target);
        expectRefusal(reply, "method_not_allowed");
        expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
      }
    }
  });

  it("O-60: a file that the manifest does not list is answered 404, whether it was added before the start or after", async () => {
    const directory = await ownRelease(checkedRegistry(empty));
    const put = (name: string): void => writeFileSync(path.join(directory, "assets", name), "secret");
    put("before.txt");
    const release = openRelease(directory);
    const { port, close } = await listen(release);
    put("after.txt");
    const names = [...release.assets.keys()].map((target) => path.basename(target));
    const targets = [...names, "before.txt", "after.txt"];
    const statuses = await Promise.all(
      targets.map(async (name) => (await fetch(`http://127.0.0.1:${port}/assets/${name}`)).status),
    );
    await close();
    release.close();
    rmSync(path.dirname(directory), { recursive: true });
    expect(names.length).toBeGreaterThan(3);
    expect(statuses).toEqual([...names.map(() => 200), 404, 404]);
  });

  it("O-60: a listed asset is never answered 404, whatever the preconditions (RFC 9110 §13.1)", async () => {
    for (const target of service.release.assets.keys()) {
      for (const [fields, statuses] of [
        [{ "if-none-match": '"x"' }, [200]],
        [{ "if-none-match": "*" }, [200, 304]],
        [{ "if-modified-since": "Fri, 31 Dec 2100 23:59:59 GMT" }, [200]],
        [{ "if-match": '"x"' }, [412]],
        [{ "if-match": "*" }, [200]],
        // §13.1.4: ignored where the resource has no modification date.
        [{ "if-unmodified-since": "Sat, 01 Jan 2000 00:00:00 GMT" }, [200]],
      ] as const) {
        const { status } = await service.send("GET", target, { headers: fields });
        expect(statuses, `${target} ${JSON.stringify(fields)}`).toContain(status);
      }
    }
  });
});
