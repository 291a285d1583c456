/**
 * Adds to pages with contents next to their text: which section is being read, where an anchor
 * moved to, one language for all examples. Without it, links and anchors lead to the same places.
 */

// Next to the text, contents stay open; if ::details-content is supported, CSS does this.
const contents = document.querySelector(".toc details");
if (contents !== null) contents.open = matchMedia("(min-width: 62rem)").matches;

// A section that moved to its own page leaves its anchor here, as a link.
const moved = document.getElementById(location.hash.slice(1));
if (moved?.matches(".reference a") && moved.hash) location.replace(moved.href);

// One language choice applies to all examples of a page.
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".choice input")) return;
  for (const input of document.querySelectorAll(`.choice input[value="${target.value}"]`)) input.checked = true;
});

// Marks in the contents the section that is being read; a closed one is where its title is.
const listed = [...document.querySelectorAll('.toc a[href^="#"]')];
const entries = new Map(listed.map((link) => [link.getAttribute("href").slice(1), link]));
const topOf = (element) => (element.closest("details") ?? element).getBoundingClientRect().top;
if (entries.size > 0) {
  const marked = [...document.querySelectorAll("[id]")].filter(({ id }) => entries.has(id));
  let current;
  const mark = () => {
    // The last one whose start has been reached; at the end of the page, the last of all.
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const reached = marked.filter((element) => atEnd || topOf(element) < 120);
    const link = entries.get(reached.at(-1)?.id);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    current?.setAttribute("aria-current", "true");
    const list = document.querySelector(".toc");
    if (current !== undefined && list.scrollHeight > list.clientHeight)
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
