#!/usr/bin/env node
/**
 * Handoff of the recipe @RECIPE_ID@ for Node 18 or newer; it needs no packages.
 *
 *   node node/handoff.mjs prove
 *       judges the six fixtures, without a network
 *   node node/handoff.mjs resolve --live EXPRESSION [LANGUAGE]
 *       makes one call to @ORIGIN@
 */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { ANSWER_MAX_BYTES, classify, formatClassification, isClassification, readJson } from "./classify.mjs";

const RESOLVE_URL = "@RESOLVE_URL@";
/** All that the folders of the programs hold, in order. */
const PROGRAMS = "@PROGRAMS@";
const FOLDERS = ["curl", "node", "powershell", "python"];
const TIMEOUT_SECONDS = 10;
const OUTCOMES = ["resolved-valid", "unknown", "ambiguous", "malformed", "request-error", "service-error"];
/** Exit codes of `resolve`, by outcome; 2 is wrong usage. */
const EXIT_CODES = [0, 3, 4, 5, 6, 7];

/** Prints a line for each fixture; true if all six are as declared, and the programs as well. */
function prove() {
  if (programs() !== PROGRAMS) {
    print(`programs: the folders of the kit do not hold exactly ${PROGRAMS}`);
    return false;
  }
  let whole = true;
  for (const id of OUTCOMES) {
    const said = judge(id);
    whole &&= said.asDeclared;
    print(`${id}: ${said.text}`);
  }
  return whole;
}

function programs() {
  try {
    return FOLDERS.flatMap(namesIn)
      .sort((a, b) => (a < b ? -1 : 1))
      .join(" ");
  } catch {
    return undefined;
  }
}

function namesIn(folder) {
  return readdirSync(new URL(`../${folder}/`, import.meta.url)).map((name) => `${folder}/${name}`);
}

function judge(id) {
  const fixture = readFixture(id);
  if (!isFixture(fixture, id)) return { asDeclared: false, text: "not a fixture of this name" };
  const { expected, request, response } = fixture;
  const answer = response && { ...response, body: new TextEncoder().encode(response.body) };
  const [found, declared] = [classify(request.expression, answer), expected].map(formatClassification);
  if (found !== declared) return { asDeclared: false, text: `${found}, but ${declared} is declared` };
  return { asDeclared: true, text: describe(expected) };
}

function isFixture(fixture, id) {
  const { expected, request, response } = fixture ?? {};
  return (
    expected?.outcome === id &&
    isClassification(expected) &&
    typeof request?.expression === "string" &&
    (response === null ||
      (typeof response?.status === "number" &&
        (response.contentType === null || typeof response.contentType === "string") &&
        typeof response.body === "string"))
  );
}

function readFixture(id) {
  try {
    return readJson(readFileSync(new URL(`../fixtures/${id}.json`, import.meta.url)));
  } catch {
    return undefined;
  }
}

function describe({ outcome, code, registryVersion }) {
  return code === undefined ? outcome : `${outcome} ${ascii(code)} ${ascii(registryVersion)}`;
}

/**
 * Makes one call, without a retry. Resolves to null if no complete answer comes in time; a redirect
 * is not followed.
 */
function ask(request) {
  const body = JSON.stringify(request);
  const { request: send } = RESOLVE_URL.startsWith("https:") ? https : http;
  return new Promise((resolve) => {
    const nothing = () => resolve(null);
    const options = {
      method: "POST",
      agent: false,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "Content-Length": Buffer.byteLength(body),
      },
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    };
    const outgoing = send(RESOLVE_URL, options, (incoming) => {
      const { statusCode: status, headers, rawHeaders } = incoming;
      const types = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "content-type");
      // With two, it is unclear which one counts.
      const contentType = types.length === 1 ? headers["content-type"] : null;
      const chunks = [];
      let bytes = 0;
      const finish = () => {
        outgoing.destroy();
        resolve({ status, contentType, body: Buffer.concat(chunks) });
      };
      // Only the body of a 200 is read.
      if (status !== 200) return finish();
      incoming.on("error", nothing).on("aborted", nothing).on("end", finish);
      incoming.on("data", (chunk) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > ANSWER_MAX_BYTES) finish();
      });
    });
    // 101 switches the protocol and gives no answer.
    outgoing.on("upgrade", (_incoming, socket) => nothing(socket.destroy()));
    outgoing.on("error", nothing).end(body);
  });
}

/** The contents of a JSON string, in ASCII. */
function ascii(text) {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

const USAGE = `Usage: handoff.mjs prove
       handoff.mjs resolve --live [--keep FILE] EXPRESSION [LANGUAGE]

prove    judges the six fixtures of the kit, without a network, if its folders hold exactly its programs.
         Exit code 0: all are as declared; 1: one is not, or the programs are not.
resolve  sends the expression once to @ORIGIN@ and prints the outcome.
         With --keep, an abstention is added to FILE on this machine: expression, language, reason, count and day.
         Exit code 0: resolved-valid; 3: unknown; 4: ambiguous; 5: malformed; 6: request-error; 7: service-error.
Exit code 2: wrong usage, nothing was sent.`;

/** Adds an abstention to a file of this machine: these five members, and nothing else. */
function keep(file, { expression, language }, { reason }) {
  if (typeof reason !== "string") return;
  const tag = language === undefined ? "null" : `"${ascii(language)}"`;
  const day = new Date().toISOString().slice(0, 10);
  const gap = `{"expression":"${ascii(expression)}","language":${tag},"reason":"${ascii(reason)}","count":1,"day":"${day}"}`;
  try {
    appendFileSync(file, `${gap}\n`, { mode: 0o600 });
  } catch {
    process.stderr.write("The abstention was not kept: the file cannot be written\n");
  }
}

async function main([command, flag, ...rest]) {
  if (command === "--help" && flag === undefined) {
    print(USAGE);
    return 0;
  }
  if (command === "prove" && flag === undefined) return prove() ? 0 : 1;
  // Nothing is sent unless --live asks for it.
  const file = rest.length > 2 && rest[0] === "--keep" ? rest.splice(0, 2)[1] : undefined;
  const [expression, language] = rest;
  if (command !== "resolve" || flag !== "--live" || rest.length < 1 || rest.length > 2) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const request = language === undefined ? { expression } : { expression, language };
  const result = classify(expression, await ask(request));
  print(formatClassification(result));
  if (file !== undefined) keep(file, request, result);
  return EXIT_CODES[OUTCOMES.indexOf(result.outcome)];
}

process.exitCode = await main(process.argv.slice(2));
