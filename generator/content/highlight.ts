/**
 * Marks up comments, strings and keywords of code at build time. It parses no grammar: the code on
 * these pages is short, and three kinds of parts are enough to read it. A library would cost
 * megabytes for the same.
 */
const STRINGS = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;

/** The comments, strings and keywords of each language; in JSON, member names count as keywords. */
const LANGUAGES: Readonly<Record<string, RegExp>> = {
  sh: parts(String.raw`(?<=^|\s)#.*`, String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`, "for|in|do|done|if|then|else|fi|while"),
  javascript: parts(String.raw`//.*`, STRINGS, "const|let|await|async|import|export|from|new|return|if|else|for|of"),
  python: parts("#.*", STRINGS, "import|from|with|as|for|in|if|else|return|def|not"),
  json: /(?<k>"(?:[^"\\]|\\.)*"(?=\s*:)|\b(?:true|false|null)\b)|(?<s>"(?:[^"\\]|\\.)*")/g,
};
const ALIASES: Readonly<Record<string, string>> = { bash: "sh", js: "javascript", mjs: "javascript", py: "python" };

function parts(comment: string, string: string, keywords: string): RegExp {
  return new RegExp(`(?<c>${comment})|(?<k>(?<![\\w$-])(?:${keywords})(?![\\w-]))|(?<s>${string})`, "gm");
}

/**
 * A block of code that can be copied and scrolls, also by keyboard; the language may be unknown.
 */
export function codeBlock(code: string, language: string): string {
  const of = /^\w+$/.test(language) ? ` class="language-${language}"` : "";
  return `<div class="block"><pre tabindex="0"><code${of} data-copy>${highlight(code, language)}</code></pre></div>`;
}

function highlight(code: string, language: string): string {
  const pattern = LANGUAGES[ALIASES[language] ?? language];
  if (pattern === undefined) return escapeText(code);
  let html = "";
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(pattern)) {
    const [kind] = Object.entries(groups).find(([, part]) => part !== undefined) ?? [];
    html += `${escapeText(code.slice(end, index))}<span class="hl-${kind}">${escapeText(text)}</span>`;
    end = index + text.length;
  }
  return html + escapeText(code.slice(end));
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
