/**
 * The studio shows exactly the kit that is downloaded: it fetches the kit once, unpacks it here,
 * judges its fixtures with the classifier of its own programs, and recomputes each digest. Nothing
 * is resolved until a person turns that on. Data becomes text nodes only, never markup.
 */
const studio = document.querySelector("#studio");
const [{ make, addCopyButtons }, { readKit, sha256 }, { classify, formatClassification, readJson }] = await Promise.all(
  [import(studio.dataset.site), import(studio.dataset.kit), import(studio.dataset.classifier)],
);
studio.dataset.scripted = "";

const OUTCOMES = ["resolved-valid", "unknown", "ambiguous", "malformed", "request-error", "service-error"];
const RESOLVE_PATH = "/api/v1/resolve";
const TIMEOUT_SECONDS = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const at = (selector) => document.querySelector(selector);

const NO_DIGESTS = "This browser computes digests only over HTTPS, so these are the published ones.";

function describe({ outcome, code, registryVersion }) {
  return code === undefined ? outcome : `${outcome} ${code} ${registryVersion}`;
}

/** Prove: each fixture with its verdict, and fields to change the response. */
function showFixtures(files) {
  const all = OUTCOMES.map((id) => showFixture(readJson(files.get(`fixtures/${id}.json`)), () => count()));
  function count() {
    const right = all.filter(({ holds }) => holds()).length;
    at("#proof").textContent =
      right === OUTCOMES.length
        ? "All 6 fixtures are as declared. No network was used."
        : `${right} of ${OUTCOMES.length} fixtures are as declared.`;
  }
  at("#fixtures").replaceChildren(...all.map(({ element }) => element));
  count();
}

function showFixture(fixture, changed) {
  const { id, request, response, expected } = fixture;
  const answer = answerFields(response);
  const verdict = make("p", { class: "verdict" });
  const restore = make("button", { type: "button", class: "copy" }, "As it was");
  const section = make("section", { "aria-label": `Fixture ${id}` }, make("h3", {}, id), verdict);
  section.append(...sentOf(fixture), details(fixture, answer.element, restore));
  let holds = false;
  function judge() {
    const both = [classify(request.expression, answer.read()), expected];
    const [lines, words] = [both.map(formatClassification), both.map(describe)];
    holds = lines[0] === lines[1];
    // Two abstentions may differ only in their evidence.
    const [found, declared] = holds || words[0] !== words[1] ? words : lines;
    section.className = `outcome ${holds ? "resolved" : "refused"}`;
    verdict.textContent = holds ? `${found}, as declared` : `${found}, but ${declared} is declared`;
  }
  answer.element.addEventListener("input", () => {
    judge();
    changed();
  });
  restore.addEventListener("click", () => {
    answer.reset();
    judge();
    changed();
  });
  judge();
  return { element: section, holds: () => holds };
}

/** The response, in fields that can be changed. */
function answerFields(response) {
  const came = make("input", { type: "checkbox" });
  const status = make("input", { type: "number", min: "100", max: "999" });
  const type = make("input", { autocomplete: "off", spellcheck: "false" });
  const body = make("textarea", { rows: "6", spellcheck: "false", dir: "ltr" });
  const fields = make(
    "div",
    {},
    labelled("HTTP status", status),
    labelled("Content-Type", type),
    labelled("Body", body),
  );
  const element = make("div", { class: "fields" }, make("label", {}, came, " A whole answer came"), fields);
  function read() {
    fields.hidden = !came.checked;
    if (!came.checked) return null;
    return { status: status.valueAsNumber, contentType: type.value, body: encoder.encode(body.value) };
  }
  function reset() {
    came.checked = response !== null;
    status.value = response?.status ?? 200;
    type.value = response?.contentType ?? "application/json";
    body.value = response?.body ?? "";
  }
  reset();
  return { element, read, reset };
}

function sentOf({ title, drawnFrom, request: { expression, language } }) {
  const text = expression === "" ? "nothing" : make("bdi", language ? { lang: language } : {}, expression);
  const tag = language === "" ? "empty tag" : language;
  return [
    make("p", {}, `${title}.`, drawnFrom === "illustration" ? " The concept is an illustration, made up." : ""),
    make("p", {}, "Sent: ", text, " ", ...(tag === undefined ? [] : [make("span", { class: "tag" }, tag)])),
  ];
}

function details({ id, handling, record }, fields, restore) {
  return make(
    "details",
    {},
    make("summary", {}, "Look closer, and change what came back", make("span", { class: "unseen" }, ` in ${id}`)),
    fields,
    make("p", {}, restore),
    make("h4", {}, `What you do with ${id}`),
    make("p", {}, `${handling}.`),
    make("h4", {}, `What you record with ${id}`),
    make("pre", { tabindex: "0" }, make("code", {}, JSON.stringify(record, null, 2))),
  );
}

function labelled(text, field) {
  return make("label", {}, text, field);
}

/** Generate: the programs of one language, as they are in the kit. */
async function showSources({ files, sums }) {
  const language = at("input[name=handoff]:checked").value;
  const isProgram = (name) => name.startsWith(`${language}/handoff.`);
  const own = [...files.keys()].filter((name) => name.startsWith(`${language}/`)).toReversed();
  const names = [...own.filter(isProgram), ...own.filter((name) => !isProgram(name))];
  const shown = await Promise.all(
    names.map(async (name) => {
      const bytes = files.get(name);
      const digest = (await sha256(bytes)) ?? sums.get(name);
      const code = make("code", { "data-copy": "" }, decoder.decode(bytes));
      return make(
        "details",
        name === names[0] ? { open: "" } : {},
        make("summary", {}, make("code", {}, name)),
        make("p", { class: "note" }, `${bytes.length} bytes, SHA-256 `, make("code", {}, digest)),
        make("pre", { tabindex: "0", role: "group", "aria-label": name }, code),
      );
    }),
  );
  if (current.files !== files || at("input[name=handoff]:checked").value !== language) return;
  at("#sources").replaceChildren(...shown);
  addCopyButtons(at("#sources"));
}

/** What the digest shows about a file; claims nothing if none was listed or computed. */
function compare(name, declared, computed) {
  if (name === "SHA256SUMS") return "the list itself";
  if (declared === undefined) return "not listed";
  if (computed === undefined) return "not computed";
  return computed === declared ? "as listed" : "differs";
}

/** Inspect: every file, with the listed digest and the one computed here. */
async function showFiles({ zip, files, sums, published }) {
  const found = await sha256(zip);
  const rows = await Promise.all(
    [...files].map(async ([name, bytes]) => {
      const [declared, computed] = [sums.get(name), await sha256(bytes)];
      return [name, bytes.length, computed ?? declared ?? "", compare(name, declared, computed)];
    }),
  );
  if (current.files !== files) return;
  const whole =
    found === published && rows.every(([, , , compared]) => compared === "as listed" || compared === "the list itself");
  at("#inspection").textContent =
    found === undefined
      ? NO_DIGESTS
      : whole
        ? `${files.size} files: every digest computed here is the listed one, and that of the ZIP is the published one.`
        : "The kit is not the published one: do not use it. Load this page again.";
  at("#files").replaceChildren(table(["File", "Bytes", "SHA-256", "Compared"], rows));
}

function table(head, rows) {
  return make(
    "div",
    { class: "scroll", role: "group", tabindex: "0", "aria-label": "Files of the kit" },
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
      make(
        "tbody",
        {},
        ...rows.map(([first, ...others]) =>
          make(
            "tr",
            {},
            make("th", { scope: "row" }, make("code", {}, first)),
            ...others.map((text) => make("td", {}, make("code", {}, String(text)))),
          ),
        ),
      ),
    ),
  );
}

let current;

/** Shows the kit of the chosen recipe; the last choice wins. */
async function select() {
  const { kit: path, sha256: published } = at("input[name=recipe]:checked").dataset;
  at("#kit").href = path;
  const chosen = { published };
  current = chosen;
  const kit = await readKit(path);
  if (current !== chosen) return;
  if (kit === undefined) {
    for (const place of ["#fixtures", "#sources", "#files"]) at(place).replaceChildren();
    const unread = "The kit could not be read. Load this page again.";
    for (const place of ["#proof", "#inspection"]) at(place).textContent = unread;
    return;
  }
  Object.assign(chosen, kit);
  try {
    showFixtures(chosen.files);
  } catch {
    at("#fixtures").replaceChildren();
    at("#proof").textContent = "The fixtures of this kit could not be read.";
  }
  await Promise.all([showSources(chosen), showFiles(chosen)]);
}

/** One live call, judged like a fixture. */
async function ask(request) {
  try {
    const response = await fetch(RESOLVE_PATH, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    });
    const body = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, contentType: response.headers.get("Content-Type"), body };
  } catch {
    return null;
  }
}

for (const radio of document.querySelectorAll("input[name=recipe]"))
  radio.addEventListener("change", () => void select());
for (const radio of document.querySelectorAll("input[name=handoff]")) {
  radio.addEventListener("change", () => {
    if (current.files !== undefined) void showSources(current);
  });
}
/** A new request, or the switch, makes every pending answer out of date. */
let turn = 0;
function turnLive(isOn) {
  turn++;
  at("#live-on").checked = isOn;
  at("#live-form").hidden = !isOn;
  at("#live-outcome").replaceChildren();
}
// Off at first. Until the page is shown, a browser may restore form state without an event.
turnLive(false);
addEventListener("pageshow", ({ persisted }) => {
  if (persisted || at("#live-form").hidden) turnLive(false);
});
at("#live-on").addEventListener("change", (event) => turnLive(event.target.checked));
at("#live-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { expression, language } = event.target.elements;
  const request =
    language.value === ""
      ? { expression: expression.value }
      : { expression: expression.value, language: language.value };
  const mine = ++turn;
  at("#live-outcome").replaceChildren();
  const result = classify(request.expression, await ask(request));
  if (mine !== turn) return;
  const kind =
    result.outcome === "resolved-valid"
      ? "resolved"
      : result.outcome === "unknown" || result.outcome === "ambiguous"
        ? "abstained"
        : "refused";
  at("#live-outcome").replaceChildren(
    make(
      "div",
      { class: `outcome ${kind}` },
      make("p", { class: "verdict" }, describe(result)),
      make("p", {}, "Sent: ", make("bdi", {}, request.expression)),
      ...(result.candidates ?? []).map(({ name }) =>
        make("p", {}, "A person can be asked: ", make("bdi", {}, name), "?"),
      ),
    ),
  );
});
await select();
