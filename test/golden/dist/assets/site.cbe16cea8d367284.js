/**
 * Adds to pages that work without it: the outcome below the resolve form, examples that fill it,
 * copy buttons, language names, the current page in the navigation. Data becomes text nodes only.
 */

/** Makes an element; children are elements or texts. */
export function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const texts = document.querySelector("#texts");
export const { prefix = "" } = document.documentElement.dataset;

/** A text in the page's language. English pages have no list of texts and use the given one. */
export const say = (key, english) => textOf(key)?.textContent ?? english;

/** The same with its markup. */
const sayAs = (key, ...english) => textOf(key)?.cloneNode(true).childNodes ?? english;

const textOf = (key) => texts?.content.querySelector(`[data-text="${key}"]`);

/** A text that exists only in English. */
export const inEnglish = (text) => (texts === null ? text : make("span", { lang: "en", dir: "ltr" }, text));

const form = document.querySelector("form.resolve");
const place = document.querySelector("#outcome");

function show(kind, verdict, ...children) {
  const section = make("section", { class: `outcome ${kind}` }, make("p", { class: "verdict" }, verdict), ...children);
  place.replaceChildren(section);
  addCopyButtons(section);
}

const fact = (term, value) => make("div", {}, make("dt", {}, term), make("dd", {}, value));
const paragraph = (...children) => make("p", {}, ...children);
const heading = (text) => make("h2", {}, text);
const note = (...children) => make("p", { class: "note" }, ...children);

function showResolved({ code, name, definition, domain, registryVersion }, { expression, language }) {
  const asked = make("bdi", language === undefined ? {} : { lang: language }, expression);
  const facts = [
    [say("resolve.expression", "Expression"), asked],
    ...(language === undefined ? [] : [[say("resolve.language", "Language"), language]]),
    [say("resolve.domain", "Domain"), domain],
    [say("resolve.version", "Registry version"), registryVersion],
  ];
  const record = make("strong", {}, "Record the code together with its registry version.");
  const concept = say("resolve.concept", "The concept with all its expressions");
  show(
    "resolved",
    say("resolve.resolved", "Resolved"),
    make("h2", { dir: "auto" }, name),
    make("p", { class: "code" }, make("code", { "data-copy": "" }, code)),
    make("p", { dir: "auto" }, definition),
    make("dl", { class: "facts" }, ...facts.map(([term, value]) => fact(term, value))),
    paragraph(...sayAs("resolve.record", record, " It grants no permission to do anything.")),
    paragraph(make("a", { href: `${prefix}/concepts/${code}` }, concept)),
  );
}

function showAbstained({ reason, candidates, input }) {
  const { children } = document.querySelector("#reason-words").content;
  const known = [...children].find((element) => element.dataset.reason === reason)?.textContent;
  const scored = say("resolve.candidate", "{code}, score {score}");
  const evidence = candidates.map(({ code, name, score }) => {
    const about = make("span", { class: "note" }, scored.replace("{code}", code).replace("{score}", score));
    return make("li", {}, make("a", { href: `${prefix}/concepts/${code}`, dir: "auto" }, name), " ", about);
  });
  const list = make("h3", {}, say("resolve.candidates", "Candidates: evidence only, never an assignment"));
  const valid = say("resolve.valid", "This is a valid answer, not an error. Reason: {reason}");
  const [before, after] = valid.split("{reason}");
  const filter = { href: `${prefix}/concepts?q=${encodeURIComponent(input.expression)}` };
  const wayOn = paragraph(make("a", filter, say("resolve.filter", "Look for concepts with these words")));
  show(
    "abstained",
    say("resolve.abstained", "Abstained"),
    heading(say("resolve.no-code-heading", "No code is assigned")),
    paragraph(make("bdi", {}, input.expression)),
    paragraph(`${known ?? say("resolve.unclear", "The registry does not say exactly one thing")}.`),
    note(before, make("code", {}, reason ?? say("resolve.no-reason", "none given")), after),
    ...(evidence.length === 0 ? [] : [list, make("ul", {}, ...evidence)]),
    ...(reason === "no_reviewed_exact_match" && [...input.expression].length <= 200 ? [wayOn] : []), // QUERY_MAX_LENGTH
  );
}

function showRefused(message) {
  show(
    "refused",
    say("resolve.refused", "Refused"),
    heading(say("resolve.refused-heading", "The request was not accepted")),
    paragraph(inEnglish(`${message}.`), " ", say("resolve.no-code", "No code is assigned.")),
  );
}

const LATER = "Nothing is known about this expression, and no code is assigned. Try again later.";

function showFailed(reason) {
  show(
    "refused",
    say("script.no-answer", "No answer"),
    heading(say("script.unreachable", "The service could not be reached")),
    paragraph(say("script.try-later", LATER)),
    ...(reason === undefined ? [] : [note(inEnglish(`${reason}.`))]),
  );
}

/** The statuses with which a host that serves only files answers POST. */
const SERVES_FILES = [403, 404, 405, 501];

/** The registry in the release's files; opened when first needed, and again after a failure. */
let registry;

async function resolveFromFiles(request) {
  const { resolver } = document.querySelector("[data-resolver]").dataset;
  const opened = (registry ??= import(resolver).then((module) => module.openRegistry(location.origin)));
  try {
    return JSON.parse((await (await opened).resolve(request)).body);
  } catch (error) {
    if (registry === opened) registry = undefined;
    throw error;
  }
}

/** Whether the host turned out to serve only files. */
export const servesFiles = () => registry !== undefined;

/** The envelope of POST /api/v1/resolve, from the service or, if nothing answers it, from files. */
export async function answerTo(request) {
  if (registry !== undefined) return resolveFromFiles(request);
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) };
  const response = await fetch("/api/v1/resolve", post);
  return SERVES_FILES.includes(response.status) ? resolveFromFiles(request) : response.json();
}

let latest = 0;

async function resolve(request) {
  const turn = ++latest;
  place.setAttribute("aria-busy", "true");
  let answer;
  let reason;
  try {
    answer = await answerTo(request);
  } catch (error) {
    reason = error.name === "StorageError" ? error.message : undefined;
  }
  // A later question may have been answered first.
  if (turn !== latest) return;
  place.removeAttribute("aria-busy");
  const { data, error } = answer ?? {};
  if (data?.status === "resolved" && data.concept?.code) showResolved(data.concept, request);
  else if (data?.status === "abstained") showAbstained(data);
  else if (error?.message) showRefused(error.message);
  else showFailed(reason);
}

// Not on the page of an outcome: its address and its title must change with it.
if (form !== null && place?.dataset.resolver !== undefined) {
  const asked = history.state?.asked ?? Object.fromEntries(new URLSearchParams(location.search));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { expression, language } = Object.fromEntries(new FormData(form));
    // Going back shows the outcome again. Keep the request out of the URL, and remove an old one.
    const isOld = expression !== asked.expression || language !== (asked.language ?? "");
    history.replaceState({ asked: { expression, language } }, "", isOld ? location.pathname : undefined);
    void resolve(language === "" ? { expression } : { expression, language });
  });
  const fill = (request) => {
    for (const name of ["expression", "language"]) form.elements.namedItem(name).value = request[name] ?? "";
    form.requestSubmit();
  };
  for (const chip of document.querySelectorAll("a[data-expression]")) {
    chip.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      fill(chip.dataset);
      place.scrollIntoView({ block: "center" });
    });
  }
  if (asked.expression !== undefined) fill(asked);
}

export function addCopyButtons(root) {
  if (navigator.clipboard === undefined) return;
  for (const code of root.querySelectorAll("[data-copy]")) {
    const button = make("button", { type: "button", class: "copy" }, say("script.copy", "Copy"));
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = say("script.copied", "Copied");
    });
    // In a block, the button is in the corner, where it does not move anything.
    const block = code.closest(".block");
    if (block !== null) block.append(button);
    else code.after(button);
  }
}
addCopyButtons(document);

// The search is loaded when it is first opened; without script its link leads to the concepts.
const find = document.querySelector(".find");

const openFind = async (text) => (await import(find.dataset.script)).open(find.dataset, text);

if (find !== null) {
  find.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    void openFind();
  });
  // Not a single character: users of speech input would open the search by speaking (WCAG 2.1.4).
  addEventListener("keydown", (event) => {
    const isAsked = /^k$/i.test(event.key) && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isAsked || event.target.closest("input, select, textarea, dialog") !== null) return;
    event.preventDefault();
    void openFind();
  });
}

// A host that serves only files answers with the whole list, whatever the query.
const filter = document.querySelector("form.filter");
const isUnanswered = ([name, value]) => {
  const field = filter.elements.namedItem(name);
  if (field === null || value.trim() === "" || field.value === value) return false;
  return field.options === undefined ? field.value === "" : [...field.options].some((option) => option.value === value);
};
if (filter !== null && [...new URLSearchParams(location.search)].some(isUnanswered)) {
  const text = new URLSearchParams(location.search).get("q") ?? "";
  const search = make("a", { href: "#" }, say("script.search-names", "Search the names instead"));
  search.addEventListener("click", (event) => {
    event.preventDefault();
    void openFind(text);
  });
  const whole = say("script.whole-list", "This host serves files only and filters nothing: below is the whole list.");
  filter.after(make("p", { class: "notice" }, whole, " ", search));
}

/** Adds the name of each language after its tag in a list of options. */
export function nameOptions(root) {
  for (const option of root.querySelectorAll("option[data-language]"))
    option.textContent = [option.value, names.of(option.value) ?? ""].join(" ").trim();
}

const names = new Intl.DisplayNames([document.documentElement.lang], { type: "language", fallback: "none" });
for (const part of document.querySelectorAll("[data-language]:not(a, option)")) {
  const name = names.of(part.dataset.language);
  if (name !== undefined) part.append(" ", make("span", {}, name));
}
nameOptions(document);

for (const link of document.querySelectorAll(".top nav a:not(.find)")) {
  const { pathname } = new URL(link.href);
  if (pathname !== "/" && pathname !== prefix && `${location.pathname}/`.startsWith(`${pathname}/`))
    link.setAttribute("aria-current", "page");
}

// If the navigation scrolls, keep the current page in view.
const here = document.querySelector(".top [aria-current]");
const middleOf = (element) => element.getBoundingClientRect().left + element.offsetWidth / 2;
const list = here?.closest("ul");
if (list) list.scrollLeft += middleOf(here) - middleOf(list);
