/**
 * Runs in each page of a preview: reloads the page when there is another build, and shows which
 * build this is and its findings. These are in a shadow root, with styles that the page's policy
 * permits, so that the page looks as it will be published.
 */
const build = new URL(import.meta.url).searchParams.get("build");
const host = document.body.appendChild(document.createElement("aside"));
host.setAttribute("aria-label", "Preview");
const root = host.attachShadow({ mode: "open" });
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { all: initial; position: fixed; inset: auto 0 0 0; z-index: 2147483647; max-height: 50vh; overflow: auto;
    font: 14px/1.45 system-ui, sans-serif; color: #f4f4f1; background: #23312f; box-shadow: 0 -1px 8px #0006; }
  :host(.faulty) { background: #5c1a1a; }
  :host(:not(.faulty)) { display: flex; flex-wrap: wrap; align-items: baseline; }
  p, details { margin: 0; padding: 6px 16px; }
  summary { cursor: pointer; }
  pre { margin: 8px 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
`);
root.adoptedStyleSheets = [sheet];

function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}

/** Findings under a title with their number and kind; empty if there are none. */
function list(texts, noun) {
  if (texts.length === 0) return [];
  const details = Object.assign(document.createElement("details"), { open: noun === "error" });
  const title = element("summary", `${texts.length} ${noun}${texts.length === 1 ? "" : "s"}`);
  details.append(title, ...texts.map((text) => element("pre", text)));
  return [details];
}

function show({ says, errors = [], notices = [] }) {
  host.className = errors.length > 0 ? "faulty" : "";
  host.setAttribute("role", errors.length > 0 ? "alert" : "status");
  root.replaceChildren(element("p", says), ...list(errors, "error"), ...list(notices, "notice"));
  // So that the end of the page can be scrolled above it.
  document.body.style.paddingBottom = `${host.offsetHeight}px`;
}

let events;
function listen() {
  events?.close();
  // A browser has few connections for one host, so hidden tabs have none.
  if (document.hidden) return;
  events = new EventSource("/.dev/events");
  events.addEventListener("message", ({ data }) => {
    const state = JSON.parse(data);
    if (state.build === build) show(state);
    else location.reload();
  });
  events.addEventListener("error", () => show({ says: "The preview does not answer: has it ended?" }));
}

document.addEventListener("visibilitychange", listen);
window.addEventListener("pagehide", () => events?.close());
window.addEventListener("pageshow", ({ persisted }) => persisted && listen());
listen();
