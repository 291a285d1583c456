/** The two judgements of a recorded answer, and what they mean to people. */
import { quote } from "../../text/printable.ts";
import type { Given, Judgement, Meaning, Scheme } from "./scheme.ts";

const THEN = {
  was_right: "was right under its version",
  was_wrong: "was not the answer of its version",
  version_unknown: "names a version that cannot be judged",
} as const;
const NOW = {
  still: { level: "none", title: "it still holds", remedy: "Nothing." },
  renamed: {
    level: "note",
    title: "its concept has another name",
    remedy: "Take over the name if it is recorded too.",
  },
  reassigned: {
    level: "error",
    title: "its expression leads to another code",
    remedy: "Keep the code if it means what was recorded; read the changes since that version before changing it.",
  },
  now_abstains: {
    level: "warning",
    title: "its expression abstains",
    remedy: "Keep the code; the expression alone does not lead to it any more.",
  },
  retired: {
    level: "error",
    title: "its code is retired",
    remedy: "Decide whether the successor means what was recorded; --migrate FILE lists the codes with successors.",
  },
  unknown_code: {
    level: "error",
    title: "no release of this registry ever had its code",
    remedy: "Check where the answer comes from.",
  },
} as const satisfies Record<string, Meaning>;

export type Then = keyof typeof THEN;
export type Now = keyof typeof NOW;

const THENS = Object.keys(THEN) as readonly Then[];
const NOWS = Object.keys(NOW) as readonly Now[];

function partsOf(verdict: string): readonly [Then, Now] {
  return verdict.split("/") as unknown as readonly [Then, Now];
}

/** Answers that were kept earlier: `then/now`. */
export const REPLAYED: Scheme = {
  verdicts: THENS.flatMap((then) => NOWS.map((now) => `${then}/${now}`)),
  allowable: [...THENS, ...NOWS],
  isFine(verdict, allowed) {
    const [then, now] = partsOf(verdict);
    return (then === "was_right" || allowed.has(then)) && (now === "still" || allowed.has(now));
  },
  meaningOf(verdict) {
    const [then, now] = partsOf(verdict);
    const { level, title, remedy } = NOW[now];
    const isOpen = then === "was_right";
    return {
      level: isOpen || level === "error" ? level : "warning",
      title: `The answer ${THEN[then]}, and now ${title}`,
      remedy: now === "still" && !isOpen ? "Check how the answer came into the data." : remedy,
    };
  },
  sentenceOf(judgement, given) {
    return sentenceOf(judgement, given);
  },
};

function sentenceOf({ verdict, evidence }: Judgement, { code, expression, language, registryVersion }: Given): string {
  const [then, now] = partsOf(verdict);
  const { resolvesTo, replacedBy, name, retiredIn, reason } = evidence;
  const found = [
    ...(resolvesTo === undefined ? [] : [`now ${resolvesTo}`]),
    ...(retiredIn === undefined ? [] : [`retired in ${retiredIn}, successor ${replacedBy ?? "none"}`]),
    ...(name === undefined ? [] : [`now named ${quote(name)}`]),
    ...(reason ? [quote(reason)] : []),
  ];
  const asked = expression === "" ? "" : ` for ${quote(expression)}${language === "" ? "" : ` (${quote(language)})`}`;
  const version = registryVersion === "" ? "" : ` in ${quote(registryVersion)}`;
  return `${quote(code)}${asked}${version} ${THEN[then]}; ${NOW[now].title}${found.length === 0 ? "" : `: ${found.join(", ")}`}`;
}
