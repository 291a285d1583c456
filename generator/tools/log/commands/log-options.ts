/** The options of `log`, each with the verbs that it goes with. */
import {
  BUILT,
  flag,
  goesWith,
  LANGUAGE,
  LOG,
  type Option,
  REGISTRY,
  text,
  texts,
  type Values,
} from "../../../commands/options.ts";
import { distIn } from "../../../effects/output.ts";

function forVerbs<T>(verbs: string, option: Option<T>): Option<T> {
  const isFor = ({ args }: { args: readonly string[] }): boolean => verbs.split(", ").includes(args[0] ?? "");
  return goesWith(verbs, isFor, { ...option, help: `${verbs}: ${option.help}` });
}

export const LOG_OPTIONS = {
  log: LOG,
  key: forVerbs("init, sign", text("FILE", "the private key, outside the repository")),
  name: forVerbs("init", text("NAME", "the origin of the log: its address without https:// (from service.yaml)")),
  registry: forVerbs("append", REGISTRY),
  out: forVerbs("append", BUILT),
  to: forVerbs("witness", text("URL", "the submission prefix of the witness")),
  expression: forVerbs("prove, verify", text("E", "the expression that the proof is about")),
  language: forVerbs("prove, verify", LANGUAGE),
  withoutLanguage: forVerbs(
    "prove, verify",
    flag("requests that name no language, which have a leaf if they were reassigned"),
  ),
  code: forVerbs("prove", text("C", "every expression that ever led to this code")),
  release: forVerbs("prove", text("V", "the release alone")),
  vkey: forVerbs("prove, verify, check", text("KEY", "the verifier key of the log, or a file with it")),
  policy: forVerbs("witness, verify, check", text("FILE", "the witnesses to trust, and the quorum")),
  expect: forVerbs("verify", text("CODE", "the only code that the expression may ever have had")),
  remember: forVerbs("check", text("FILE", "what was seen last, and is replaced by what is seen now")),
  dist: forVerbs("check", {
    ...texts("DIR", "a published release to make the entry again from; repeat the option for several"),
    read: (given, { effects }) => given.map((folder) => distIn(effects, folder)),
  }),
  next: forVerbs("check", {
    ...text("DIR", "a built release that is in the log as it is, or may follow the last one"),
    read: ([folder], { effects }) => (folder === undefined ? undefined : distIn(effects, folder)),
  }),
};
export type LogOptions = Values<typeof LOG_OPTIONS>;
