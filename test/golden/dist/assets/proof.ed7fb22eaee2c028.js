/**
 * Proves what the page of a concept says: makes a proof of its expressions from the files of the
 * transparency log, which must be of the same origin, checks it, and says in plain words what is
 * proven and what is not. Whom to trust is a field. Data becomes text nodes only.
 */
const place = document.querySelector("#prove");
const { site } = document.querySelector(".find")?.dataset ?? {};
const { make, say, inEnglish, addCopyButtons } = site === undefined ? {} : await import(site);

/** A text in which elements or texts replace `{names}`. */
const fill = (text, values) => text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : values[part]));
const item = (text, values = {}) => make("li", {}, ...fill(text, values));
const list = (title, items) => [make("h3", {}, title), make("ul", {}, ...items)];
const address = place === null ? "" : location.origin + new URL(place.dataset.log).pathname;

/** The expressions that resolve, as the page shows them. */
const pairs = [...document.querySelectorAll("#expressions ~ .languages bdi:not(.near)")].map((shown) => ({
  expression: shown.textContent,
  language: shown.lang,
}));

const keyOf = ({ expression, language }) => `${expression.normalize("NFC")}\0${(language ?? "").toLowerCase()}`;

/** What the bindings of a proof say of each expression of the page. */
function compare(bindings, code) {
  const known = new Map(bindings.map((binding) => [keyOf(binding), binding.codes]));
  const compared = pairs.map((pair) => ({ ...pair, codes: known.get(keyOf(pair)) }));
  const isAlways = ({ codes }) => codes?.length === 1 && codes[0][0] === code;
  return {
    isWhole: compared.every(({ codes }) => codes?.at(-1)[0] === code),
    always: compared.filter(isAlways).length,
    changed: compared.filter((one) => one.codes !== undefined && !isAlways(one)),
    unbound: compared.filter(({ codes }) => codes === undefined),
  };
}

const nameOf = ({ expression, language }) => ({ expression: make("bdi", { lang: language }, expression), language });

function history({ codes, ...pair }) {
  const since = say("proof.code-since", "{code} since {version}");
  const said = codes.map(([code, version]) => since.replace("{code}", code).replace("{version}", version));
  const text = say("proof.changed", "{expression} ({language}) has led to {codes}.");
  return item(text, { ...nameOf(pair), codes: said.join(", ") });
}

function unbound(pair) {
  return item(
    say(
      "proof.unbound",
      "{expression} ({language}) is not in this release of the log: by itself, it leads to no single code.",
    ),
    nameOf(pair),
  );
}

const always = (count) =>
  count === 1
    ? say(
        "proof.always-one",
        "{count} expression of this page has led to this code, and never to another, since it came into the log.",
      )
    : say(
        "proof.always-other",
        "{count} expressions of this page have led to this code, and never to another, since they came into the log.",
      );

function* provenLines({ log, registry, registryVersion, witnesses }, compared) {
  const release = say("proof.release", "{registry} {version} is in the log {log}, which has {size} releases.");
  const code = make("code", {}, log.origin);
  yield item(release, { registry, version: registryVersion, log: code, size: String(log.size) });
  const { version } = place.dataset;
  if (version !== registryVersion)
    yield item(
      say("proof.other-release", "This page is of release {version}: the log has another release as its last."),
      { version },
    );
  if (compared.always > 0) yield item(always(compared.always), { count: String(compared.always) });
  yield* compared.changed.map(history);
  yield* compared.unbound.map(unbound);
  const names = witnesses.map(({ name }) => name).join(", ");
  if (names !== "")
    yield item(say("proof.witnesses", "Independent witnesses have seen the same log: {names}."), { names });
}

function* unprovenLines({ witnesses }) {
  if (witnesses.length === 0)
    yield item(say("proof.no-witness", "That everybody sees the same history: no witness is part of this proof."));
  yield item(
    say(
      "proof.no-meaning",
      "That the meaning is right, or that the owner will never change it. A change stays visible in the log.",
    ),
  );
  yield item(
    say(
      "proof.no-service",
      "That this page and its script are honest. They come from the same place as the log, so check the proof with a program of your own too.",
    ),
  );
  yield item(
    say(
      "proof.no-key",
      "That the key below is the owner’s: the log states it itself. Replace the policy by one that you have from elsewhere, and check again.",
    ),
  );
}

function proven(text, verified) {
  const compared = compare(verified.bindings ?? [], place.dataset.code);
  const { isWhole } = compared;
  const verdict = isWhole ? say("proof.proven", "Proven") : say("proof.partly", "Proven in part");
  const shown = make("pre", { tabindex: "0" }, make("code", { "data-copy": "" }, text));
  return [
    isWhole ? "resolved" : "abstained",
    verdict,
    ...list(say("proof.is-proven", "What is proven"), provenLines(verified, compared)),
    ...list(say("proof.is-not-proven", "What is not"), unprovenLines(verified)),
    make("details", {}, make("summary", {}, say("proof.text", "The proof")), make("div", { class: "block" }, shown)),
  ];
}

/** Browsers have WebCrypto on secure pages alone, and some have no Ed25519. */
const isUnable = ({ name }) => crypto.subtle === undefined || name === "NotSupportedError";

function refused(error) {
  const heading =
    error.name === "ProofError"
      ? say("proof.contradicted", "The log contradicts itself or the policy")
      : isUnable(error)
        ? say("proof.unable", "This browser cannot check signatures here")
        : say("proof.failed", "The log could not be read");
  const verdict = say("proof.unproven", "Not proven");
  return ["refused", verdict, make("h3", {}, heading), make("p", {}, inEnglish(`${error.message}.`))];
}

async function statedPolicy() {
  const response = await fetch(`${address}/policy`, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${address}/policy answers ${response.status}`);
  return response.text();
}

/** Makes and checks a proof by a policy; without one, by that which the log states. */
async function prove(given) {
  const result = place.querySelector("[aria-live]");
  for (const button of place.querySelectorAll("button")) button.disabled = true;
  result.textContent = say("proof.busy", "The log is read, and its proof is checked");
  let policy = given;
  let outcome;
  try {
    policy ??= await statedPolicy();
    const { proveExpressions, verifyProof } = await import(place.dataset.verifier);
    const text = await proveExpressions(address, policy, pairs);
    outcome = proven(text, await verifyProof(text, policy));
  } catch (error) {
    outcome = refused(error);
  }
  const [kind, verdict, ...children] = outcome;
  const trust = policy === undefined ? [] : [trusting(policy)];
  const head = make("p", { class: "verdict" }, verdict);
  const section = make("section", { class: `outcome ${kind}` }, head, ...children, ...trust);
  result.replaceChildren(section);
  addCopyButtons(section);
  for (const button of place.querySelectorAll("button")) button.disabled = false;
}

function trusting(policy) {
  const label = say("proof.policy", "Whom to trust");
  const field = make("textarea", { rows: "4", spellcheck: "false", "aria-label": label }, policy);
  const again = make("button", { type: "button" }, say("proof.again", "Check again"));
  again.addEventListener("click", () => void prove(field.value));
  return make("details", {}, make("summary", {}, label), field, make("p", {}, again));
}

if (place !== null && make !== undefined && pairs.length > 0) {
  const button = make("button", { type: "button" }, say("proof.button", "Prove it"));
  button.addEventListener("click", () => void prove());
  place.append(make("p", {}, button), make("div", { "aria-live": "polite" }));
}
