/**
 * The classifier that kits, the build and the studio's page share, on every hostile answer that is
 * clean HTTP: each rule that is published decides something, and nothing but the one good answer
 * gives a code. Other languages and broken HTTP: test/external/hostile-answers.external.ts.
 */
import { describe, expect, it } from "vitest";
import { classifierRules } from "../../../../generator/integration/classifier.ts";
import { ANSWER_MAX_BYTES, classify } from "../../../../generator/integration/handoffs/node/classify.mjs";
import { LIVE_TIMEOUT_SECONDS, readHandoffs } from "../../../../generator/integration/handoffs.ts";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import { hostileAnswers } from "../../../support/hostile-answers.ts";
import { lineOf, type PlainAnswer } from "../../../support/hostile-answers/answer.ts";

const plain = hostileAnswers.flatMap((answer) =>
  answer.plain === undefined ? [] : [{ ...answer, plain: answer.plain }],
);
const good = plain.find(({ name }) => name === "members in another order");

describe("the classifier", () => {
  it.each(plain.map((answer) => [answer.expected.outcome, answer.name, answer] as const))(
    "F29: %s: %s",
    (_outcome, _name, answer) => {
      expect(classify(answer.expression, answer.plain)).toEqual(answer.expected);
    },
  );

  it("gives service-error where no answer came", () => {
    expect(classify("x", null)).toEqual({ outcome: "service-error" });
  });

  it("A25: gives code and registryVersion with resolved-valid alone, reason and candidates where it abstained", () => {
    const evidence = ["reason", "candidates"];
    const more: Readonly<Record<string, readonly string[]>> = {
      "resolved-valid": ["code", "registryVersion"],
      unknown: evidence,
      ambiguous: evidence,
    };
    for (const { expression, plain: answer } of plain) {
      const { outcome, ...members } = classify(expression, answer);
      expect([outcome, Object.keys(members)]).toEqual([outcome, more[outcome] ?? []]);
    }
  });

  it("C14: gives no code for 200 alone: abstained, or resolved without a concept", () => {
    const answers = ["abstained", "abstained with a candidate of strength 1", "resolved without a concept"];
    for (const name of [...answers, "abstained with a concept", "the status ok", "an empty code"]) {
      const answer = plain.find((one) => one.name === name);
      expect([name, answer?.plain.status]).toEqual([name, 200]);
      const { outcome, code } = classify(answer?.expression ?? "", answer?.plain as PlainAnswer);
      const expected = name.startsWith("abstained") && !name.endsWith("concept") ? "unknown" : "malformed";
      expect([name, outcome, code]).toEqual([name, expected, undefined]);
    }
  });

  it("C14: gives no code for a good body with any other status", () => {
    for (let status = 100; status <= 999; status++) {
      const { outcome, ...assigned } = classify(good?.expression ?? "", { ...(good?.plain as PlainAnswer), status });
      expect([status, "code" in assigned]).toEqual([status, status === 200]);
      const refused = status >= 400 && status <= 499 ? "request-error" : "service-error";
      expect([status, outcome]).toEqual([status, status === 200 ? "resolved-valid" : refused]);
    }
  });
});

describe("the table of hostile answers", () => {
  it("has a name for each, once", () => {
    const names = hostileAnswers.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it("shows every rule that is published", () => {
    expect([...new Set(hostileAnswers.map(({ rule }) => rule))].toSorted((a, b) => a - b)).toEqual(
      classifierRules.map(({ rule }) => rule),
    );
  });

  it("has no two of the same bytes, so that what a name says was done", () => {
    const seen = new Map<string, string>();
    for (const { name, expression, plain: answer } of plain) {
      const key = JSON.stringify([
        expression,
        answer.status,
        answer.contentType,
        Buffer.from(answer.body).toString("base64"),
      ]);
      expect([name, seen.get(key)]).toEqual([name, undefined]);
      seen.set(key, name);
    }
  });
});

describe("the limits of a call", () => {
  /** As each language writes a constant. */
  const constant = (name: RegExp, text: string): number[] =>
    [...text.matchAll(new RegExp(String.raw`${name.source} ?= ?'?(\d+)\b`, "gm"))].map(([, digits]) => Number(digits));
  const programs = [...readHandoffs(fileSystem)];

  it("are the same in every handoff", () => {
    const found = programs.flatMap(([, text]) =>
      constant(/^ *(?:export const |const |\$)?(?:ANSWER_MAX_BYTES|AnswerMaxBytes)/, text),
    );
    expect(found).toEqual(Array(4).fill(ANSWER_MAX_BYTES));
    const seconds = programs.flatMap(([, text]) => constant(/^(?:const |\$)?(?:TIMEOUT_SECONDS|TimeoutSeconds)/, text));
    expect(seconds).toEqual(Array(4).fill(LIVE_TIMEOUT_SECONDS));
  });
});

describe("a line", () => {
  it("is JSON of one line in ASCII", () => {
    for (const { expected } of plain) {
      expect(lineOf(expected)).toMatch(/^[ -~]+\n$/);
      expect(JSON.parse(lineOf(expected))).toEqual(expected);
    }
  });
});
