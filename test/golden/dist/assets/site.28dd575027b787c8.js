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

const textOf = (key) => texts?.content.querySelector(`[data-text="${key}"]`);

/** A text that exists only in English. */
export const inEnglish = (text) => (texts === null ? text : make("span", { lang: "en", dir: "ltr" }, text));

const form = document.querySelector("form.resolve");
const place = document.querySelector("#outcome");

function showFailed(reason) {
  const section = make(
    "section",
    { class: "outcome refused" },
    make("p", { class: "verdict" }, say("script.no-answer", "No answer")),
    make("h2", {}, say("script.unreachable", "The service could not be reached")),
    make(
      "p",
      {},
      say("script.try-later", "Nothing is known about this expression, and no code is assigned. Try again later."),
    ),
  );
  if (reason !== undefined) section.append(make("p", { class: "note" }, inEnglish(`${reason}.`)));
  place.replaceChildren(section);
}

/** The statuses with which a host that serves only files answers POST. */
const SERVES_FILES = [403, 404, 405, 501];

/** The registry in the release's files; opened when first needed, and again after a failure. */
let registry;

async function fromFiles(ask) {
  const { openRegistry } = await import(document.querySelector("[data-resolver]").dataset.resolver);
  const opened = (registry ??= openRegistry(location.origin));
  try {
    return await ask(await opened);
  } catch (error) {
    if (registry === opened) registry = undefined;
    throw error;
  }
}

const resolveFromFiles = (request) => fromFiles(async (opened) => JSON.parse((await opened.resolve(request)).body));

/** Whether the host turned out to serve only files. */
export const servesFiles = () => registry !== undefined;

/** The envelope of POST /api/v1/resolve, from the service or, if nothing answers it, from files. */
export async function answerTo(request) {
  if (registry !== undefined) return resolveFromFiles(request);
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) };
  const response = await fetch("/api/v1/resolve", post);
  return SERVES_FILES.includes(response.status) ? resolveFromFiles(request) : response.json();
}

/** The page with the outcome, from the service or, if nobody answers there, from files. */
async function outcomePage(query) {
  if (registry === undefined) {
    const response = await fetch(`${prefix}/resolve?${query}`, { headers: { Accept: "text/html" } });
    const text = await response.text();
    if (response.ok && /<div id="outcome"[^>]*>\s*<section/.test(text)) return text;
    if (!response.ok && !SERVES_FILES.includes(response.status))
      throw new Error(`It answers with status ${response.status}`);
  }
  const { lang: language } = document.documentElement;
  return fromFiles(async (opened) => {
    const { remotePage } = await import(place.dataset.outcome);
    const words = await (await fetch("/interface.json")).json();
    return remotePage(opened, String(query), { ...words, language });
  });
}

let latest = 0;

async function resolve(query) {
  const turn = ++latest;
  place.setAttribute("aria-busy", "true");
  let outcome;
  let reason;
  try {
    const page = new DOMParser().parseFromString(await outcomePage(query), "text/html");
    outcome = page.querySelector("#outcome");
  } catch (error) {
    // That of fetch has nothing for people in it.
    reason = error instanceof TypeError ? undefined : error.message;
  }
  // A later question may have been answered first.
  if (turn !== latest) return;
  place.removeAttribute("aria-busy");
  if (outcome?.childElementCount > 0) place.replaceChildren(...outcome.childNodes);
  else showFailed(reason);
  addCopyButtons(place);
  place.scrollIntoView({ block: "nearest" });
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
    void resolve(new URLSearchParams(language === "" ? { expression } : { expression, language }));
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
    if (!isAsked || event.target.closest("dialog") !== null) return;
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

// The languages that the browser prefers come first among the expressions of a concept.
const ofConcept = document.querySelector(".languages");
for (const [language] of navigator.languages.map((tag) => tag.toLowerCase().split("-")).toReversed()) {
  const isOwn = ({ id }) => `${id}-`.toLowerCase().startsWith(`in-${language}-`);
  ofConcept?.prepend(...[...ofConcept.children].filter(isOwn));
}

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

// The narrower concepts of a concept are shown in place; without script, its link leads to them.
if (find !== null && document.querySelector("li[data-narrower]") !== null) {
  void import(find.dataset.tree).then(({ openTrees }) => openTrees(document, { make, say }));
}
