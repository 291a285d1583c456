/**
 * Reads a policy: the logs and witnesses to trust, and how many of them must have cosigned.
 * Source: c2sp.org/tlog-policy. Addresses in it are for whoever submits, and are not read here.
 */
import {
  type Cryptography,
  LOG_KEY,
  parseNumber,
  parseVerifierKey,
  type Policy,
  ProofError,
  type VerifierKey,
  webCrypto,
} from "./c2sp.ts";

type Cosigned = ReadonlySet<string>;

interface PolicyDraft {
  readonly logs: VerifierKey[];
  readonly witnesses: Map<string, VerifierKey>;
  /** Witnesses and groups share their names. */
  readonly rules: Map<string, (cosigned: Cosigned) => boolean>;
  /** A name is a member of one group only, so that a witness counts once. */
  readonly members: Set<string>;
  quorum: { readonly line: string; readonly rule: (cosigned: Cosigned) => boolean } | undefined;
}

/** Throws ProofError, which names the line. */
export async function parsePolicy(text: string, cryptography: Cryptography = webCrypto): Promise<Policy> {
  const reading: PolicyDraft = {
    logs: [],
    witnesses: new Map(),
    rules: new Map(),
    members: new Set(),
    quorum: undefined,
  };
  for (const [i, line] of text.split("\n").entries()) {
    // Spaces and tabs alone separate the words.
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    if (words.length === 0 || words[0]?.startsWith("#") === true) continue;
    try {
      await readLine(reading, words, cryptography);
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      throw new ProofError(`Line ${i + 1} of the policy: ${error.message}`);
    }
  }
  const { logs, witnesses, quorum } = reading;
  if (quorum === undefined) throw new ProofError('The policy has no "quorum" line');
  return { logs, witnesses, isQuorum: quorum.rule, quorum: quorum.line };
}

async function readLine(reading: PolicyDraft, words: readonly string[], cryptography: Cryptography): Promise<void> {
  const [kind, ...rest] = words;
  const key = async (text = ""): Promise<VerifierKey> => parseVerifierKey(text, cryptography);
  if (kind === "log" && rest.length <= 2) addLog(reading, await key(rest[0]));
  else if (kind === "witness" && rest.length <= 3) addWitness(reading, rest[0], await key(rest[1]));
  else if (kind === "group") addGroup(reading, rest);
  else if (kind === "quorum" && rest.length === 1) setQuorum(reading, words);
  else throw new ProofError(`${JSON.stringify(words.join(" "))} is not a log, witness, group or quorum`);
}

function addLog({ logs }: PolicyDraft, key: VerifierKey): void {
  if (key.type !== LOG_KEY) throw new ProofError(`${key.name} is not the key of a log: it has type ${key.type}`);
  requireNew(logs, key);
  logs.push(key);
}

function addWitness({ witnesses, rules }: PolicyDraft, name: string | undefined, key: VerifierKey): void {
  if (key.type === LOG_KEY) throw new ProofError(`${key.name} is not the key of a witness: it has type ${key.type}`);
  requireNew([...witnesses.values()], key);
  const own = requireName(rules, name);
  witnesses.set(own, key);
  rules.set(own, (cosigned) => cosigned.has(own));
}

/** Keys are the same if they wrap the same public key (tlog-policy, Public key representation). */
function requireNew(known: readonly VerifierKey[], { name, publicKey }: VerifierKey): void {
  if (known.some((one) => one.publicKey.every((byte, i) => byte === publicKey[i])))
    throw new ProofError(`The public key of ${name} is there twice`);
}

function requireName(rules: PolicyDraft["rules"], name = ""): string {
  if (name === "" || name === "none" || rules.has(name))
    throw new ProofError(`${JSON.stringify(name)} is not a new name`);
  return name;
}

function addGroup({ rules, members }: PolicyDraft, [name, threshold = "", ...names]: readonly string[]): void {
  const own = requireName(rules, name);
  const group = names.map((member) => {
    const rule = rules.get(member);
    if (rule === undefined) throw new ProofError(`${JSON.stringify(member)} is not defined before it`);
    if (members.has(member)) throw new ProofError(`${JSON.stringify(member)} is already a member of a group`);
    members.add(member);
    return rule;
  });
  const words: Readonly<Record<string, number>> = { any: 1, all: group.length };
  const least = words[threshold] ?? parseNumber(threshold, `The threshold of ${own}`);
  if (least < 1 || least > group.length)
    throw new ProofError(`${own} has ${group.length} members, so ${least} of them cannot cosign`);
  rules.set(own, (cosigned) => group.filter((isMet) => isMet(cosigned)).length >= least);
}

function setQuorum(reading: PolicyDraft, [kind, name = ""]: readonly string[]): void {
  if (reading.quorum !== undefined) throw new ProofError("The quorum is there twice");
  const rule = name === "none" ? () => true : reading.rules.get(name);
  if (rule === undefined) throw new ProofError(`${JSON.stringify(name)} is not defined before it`);
  reading.quorum = { line: `${kind} ${name}`, rule };
}
