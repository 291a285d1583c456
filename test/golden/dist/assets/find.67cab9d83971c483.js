/**
 * The search dialog: finds pages by their words, and concepts by name, code and domain. It reads
 * only files of the release, and asks the resolver whether a text is an exact expression. A result
 * is something to read and assigns nothing. Data becomes text nodes only, never markup.
 */
const PAGES = "/search.json";
const SHOWN = 8;
const ASKED_AFTER_MS = 250;

const COUNTED = {
  concepts: { one: "{count} concept", other: "{count} concepts" },
  pages: { one: "{count} page", other: "{count} pages" },
  filter: { one: "Filter {count} concept", other: "Filter {count} concepts" },
};

let finder;

/** Opens the dialog, which the first call makes; `data` says where the scripts are. */
export async function open(data, text) {
  const site = await import(data.site);
  finder ??= new Finder(data, site);
  const { element, field } = finder;
  if (!element.open) element.showModal();
  field.focus();
  field.select();
  if (text === undefined) return;
  field.value = text;
  field.dispatchEvent(new Event("input"));
}

const fold = (text) =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();

async function readJson(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Ranks pages by the words of a text. The last word may be a prefix; long words may have typos. */
async function openPages(module) {
  const [{ default: MiniSearch, ...typing }, { pages, ...rest }] = await Promise.all([import(module), readJson(PAGES)]);
  const index = new MiniSearch({
    fields: ["title", "text"],
    idField: "id",
    processTerm: fold,
    searchOptions: {
      boost: { title: 4 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
      combineWith: "AND",
    },
  });
  index.addAll(pages.map((page, id) => ({ ...page, id })));
  return { ...rest, find: (text) => index.search(text).map(({ id }) => pages[id]), typing };
}

/**
 * Finds concepts by name in a language, or the registry's own: closest first, then by name. If none
 * has the words, those whose names are similar, each marked as such.
 */
async function openNames(language, { searchTerms, similarNames }) {
  const { domains, names } = await readJson(`/registry/names${language === "" ? "" : `/${language}`}.json`);
  const concepts = names.map(([name, code, domain]) => ({
    name,
    code,
    domain: domains[domain],
    folded: fold(name),
    rest: fold(`${code} ${domains[domain]}`),
  }));
  return (text) => {
    const whole = fold(text).trim();
    const terms = whole.split(/\s+/);
    const ranks = [[], [], [], []];
    for (const concept of concepts) {
      const { code, folded, rest } = concept;
      if (!terms.every((term) => folded.includes(term) || rest.includes(term))) continue;
      const rank =
        folded === whole || fold(code) === whole ? 0 : folded.startsWith(whole) ? 1 : folded.includes(whole) ? 2 : 3;
      ranks[rank].push(concept);
    }
    const found = ranks.flat();
    return { found, similar: found.length > 0 ? [] : similarTo(text) };
  };

  function similarTo(text) {
    const steps = similarNames({ names }, searchTerms(text), SHOWN);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value.map(([name, code, domain]) => ({ name, code, domain: domains[domain] }));
    }
  }
}

/** Asks the resolver whether the registry holds the text, in any language, and which concepts do. */
async function askAbout(answerTo, expression) {
  const nothing = { isExpression: false, holders: [] };
  try {
    const { data } = await answerTo({ expression });
    if (data === null) return nothing;
    if (data.concept !== null) return { isExpression: true, holders: [data.concept] };
    const isExpression = !["no_reviewed_exact_match", "registry_empty"].includes(data.reason);
    return { isExpression, holders: data.candidates };
  } catch {
    // Whoever cannot be asked says nothing.
    return nothing;
  }
}

class Finder {
  #data;
  #site;
  #pages;
  #names = new Map();
  #turn = 0;
  #loaded = Promise.resolve();

  constructor(data, site) {
    const { make, say } = site;
    this.#data = data;
    this.#site = site;
    const title = say("find.title", "Search");
    const looks = { type: "search", "aria-label": title, autocomplete: "off", dir: "auto", maxlength: "400" };
    this.field = make("input", looks);
    const own = make("option", { value: "" }, say("find.own-names", "the registry’s own"));
    this.choice = make("select", { "aria-label": say("find.names-in", "Names of concepts in") }, own);
    this.count = make("p", { class: "note", role: "status" });
    this.results = make("div", {});
    const rule = say(
      "find.rule",
      "Search finds pages and concepts to read. It assigns nothing; only an exact expression resolves.",
    );
    const close = make("button", { type: "button" }, say("find.close", "Close"));
    this.element = make(
      "dialog",
      { class: "finder", "aria-label": title },
      make("div", { class: "filter" }, this.field, this.choice, close),
      this.count,
      this.results,
      make("p", { class: "note" }, rule),
    );
    document.body.append(this.element);
    close.addEventListener("click", () => this.element.close());
    for (const part of [this.field, this.choice]) part.addEventListener("input", () => void this.#search());
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    // A link may lead to another place on this page.
    this.element.addEventListener("click", ({ target }) => {
      if (target === this.element || target.closest("a") !== null) this.element.close();
    });
    void this.#load().catch(() => undefined);
  }

  /** Loads missing files, once however fast somebody types; retries after a failure. */
  #load() {
    this.#loaded = this.#loaded.catch(() => undefined).then(() => this.#loadMissing());
    return this.#loaded;
  }

  async #loadMissing() {
    const { choice } = this;
    this.#pages ??= await openPages(this.#data.minisearch);
    const { named, languages } = this.#pages;
    if (!named) return;
    if (choice.options.length === 1) {
      const { make, nameOptions } = this.#site;
      choice.append(...languages.map((tag) => make("option", { value: tag, "data-language": tag }, tag)));
      nameOptions(choice);
      choice.value = document.querySelector("#in")?.value ?? "";
    }
    const { value } = choice;
    if (!this.#names.has(value)) this.#names.set(value, await openNames(value, this.#pages.typing));
  }

  async #search() {
    const { value: text } = this.field;
    const { answerTo, say, servesFiles } = this.#site;
    const mine = ++this.#turn;
    const isFailed = await this.#load().then(
      () => false,
      () => true,
    );
    if (mine !== this.#turn) return;
    if (isFailed) {
      this.count.textContent = say("find.failed", "The search could not be loaded.");
      const list = this.#line("/concepts", say("find.list", "The list of concepts"));
      this.#show([[say("find.instead", "Instead"), [list]]]);
      return;
    }
    const more = this.#showFound(text);
    if (more === undefined) return;
    await new Promise((resolve) => {
      setTimeout(resolve, ASKED_AFTER_MS);
    });
    if (mine !== this.#turn) return;
    const asked = await askAbout(answerTo, text);
    if (mine !== this.#turn) return;
    this.results.querySelector("ul").prepend(...this.#linesOf(asked, text));
    this.element.dataset.asked = text;
    if (!servesFiles()) return;
    more.remove();
    this.count.append(". ", say("find.files-only", "This host serves files only: definitions are not searched"));
  }

  /** What the resolver says of the text, without concepts that are in the list already. */
  #linesOf({ isExpression, holders }, text) {
    const { say } = this.#site;
    const note = isExpression
      ? say("find.holder", "has this expression")
      : say("find.near-holder", "has an expression that differs only in form");
    const listed = new Set([...this.results.querySelectorAll("a")].map((link) => link.getAttribute("href")));
    const lines = holders.map(({ code, name }) => this.#line(`/concepts/${code}`, name, `${code} · ${note}`));
    const others = lines.filter((line) => !listed.has(line.firstChild.getAttribute("href")));
    if (!isExpression) return others;
    const title = say("find.is-expression", "This is an exact expression");
    const query = new URLSearchParams({ expression: text });
    return [this.#line(`/?${query}`, title, say("find.resolve-it", "resolve it")), ...others];
  }

  /** Returns the line that links to the filter of the service; undefined if nothing was typed. */
  #showFound(text) {
    const { value: language } = this.choice;
    const { find, named, concepts } = this.#pages;
    const { inEnglish, say } = this.#site;
    this.element.dataset.answered = text;
    this.count.textContent = "";
    this.results.replaceChildren();
    if (text.trim() === "") return undefined;
    const { found, similar } = this.#names.get(language)?.(text) ?? { found: [], similar: [] };
    const typo = say("find.similar", "similar: one typing error a word");
    const pages = find(text);
    const query = new URLSearchParams({ q: text, ...(language !== "" && { in: language }) });
    const more = this.#line(
      `/concepts?${query}`,
      this.#counted("filter", concepts),
      say("find.filter-note", "by name and definition, on the service"),
    );
    const counts = [...(named ? [this.#counted("concepts", found.length)] : []), this.#counted("pages", pages.length)];
    this.count.textContent = counts.join(", ");
    const names = [...found.slice(0, SHOWN), ...similar].map(({ name, code, domain }) => {
      const note = `${code} · ${domain}${similar.length > 0 ? ` · ${typo}` : ""}`;
      const line = this.#line(`/concepts/${code}`, name, note);
      if (language !== "") line.querySelector("bdi").lang = language;
      return line;
    });
    const places = pages.slice(0, SHOWN).map((page) => this.#line(page.url, inEnglish(page.title), inEnglish(page.in)));
    this.#show([
      [say("find.concepts", "Concepts"), [...names, more]],
      [say("find.pages", "Pages"), places],
    ]);
    return more;
  }

  /** A count with its noun, by a key of COUNTED. */
  #counted(key, of) {
    const form = of === 1 ? "one" : "other";
    return this.#site.say(`find.${key}-${form}`, COUNTED[key][form]).replace("{count}", of);
  }

  /** Links a result to its page in this page's language; every page exists in every language. */
  #line(path, title, note = "") {
    const { make, prefix } = this.#site;
    const href = prefix + path.replace(/^\/(?=\?|$)/, prefix === "" ? "/" : "");
    return make("li", {}, make("a", { href }, make("bdi", {}, title), make("span", { class: "note" }, note)));
  }

  #show(groups) {
    const { make } = this.#site;
    const shown = groups.filter(([, lines]) => lines.length > 0);
    this.results.replaceChildren(
      ...shown.flatMap(([title, lines]) => [make("h2", {}, title), make("ul", {}, ...lines)]),
    );
  }

  /** Arrow keys move through the results; Enter in the field follows the first one. */
  #pressed(event) {
    const { activeElement } = document;
    const links = [...this.results.querySelectorAll("a")];
    const at = links.indexOf(activeElement);
    const isIn = activeElement === this.field || at >= 0;
    if (event.key === "Enter" && activeElement === this.field) links[0]?.click();
    // In a search field, Escape would only clear the text.
    else if (event.key === "Escape") this.element.close();
    else if (event.key === "ArrowDown" && isIn) (links[at + 1] ?? links[at])?.focus();
    else if (event.key === "ArrowUp" && isIn) (links[at - 1] ?? this.field).focus();
    else return;
    event.preventDefault();
  }
}
