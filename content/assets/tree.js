/**
 * Opens lists of concepts level by level, in place: each concept's own page lists its narrower ones.
 * Without script, the links lead to these pages. Data becomes text nodes only, never markup.
 */
export function openTrees(root, site) {
  for (const item of root.querySelectorAll("li[data-narrower]")) addOpener(item, site);
}

function addOpener(item, site) {
  const { make, say } = site;
  const link = item.querySelector("a");
  const label = `${say("script.narrower", "Narrower concepts")}: ${link.textContent}`;
  const opener = make("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-label": label });
  let list;
  const toggle = async () => {
    if (list === undefined) {
      list = await narrowerOf(link, site);
      item.append(list);
      openTrees(list, site);
    }
    const isOpen = opener.getAttribute("aria-expanded") === "true";
    opener.setAttribute("aria-expanded", String(!isOpen));
    list.hidden = isOpen;
  };
  // If its page cannot be read here, the link may still lead there.
  opener.addEventListener("click", () => void toggle().catch(() => location.assign(link.href)));
  item.prepend(opener);
}

async function narrowerOf(link, { make }) {
  const response = await fetch(link.href, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(`${link.href}: ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const items = [...page.querySelectorAll("#narrower > ul > li")].map((found) => {
    const parts = [...found.children].map((part) => {
      const isLink = part.localName === "a";
      const attributes = isLink ? { href: part.getAttribute("href"), dir: "auto" } : { class: part.className };
      return [make(part.localName, attributes, part.textContent), " "];
    });
    const attributes = "narrower" in found.dataset ? { "data-narrower": "" } : {};
    return make("li", attributes, ...(parts.length === 0 ? [found.textContent] : parts.flat()));
  });
  return make("ul", { class: "tree" }, ...items);
}
