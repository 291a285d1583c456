/** HTML as a value, pages with a nonce, writing direction, and the numbers of a paged list. */
import { describe, expect, it } from "vitest";
import { textDirection } from "../../../../runtime/text/direction.ts";
import { formatHtml, type Html, html, type HtmlValue } from "../../../../runtime/text/html.ts";
import { Page, parseShell } from "../../../../runtime/pages/page.ts";
import { conceptsPage } from "../../../../runtime/pages/concepts.ts";
import { textsOf } from "../../../../runtime/pages/texts.ts";

describe("html", () => {
  const print = (value: HtmlValue): string => formatHtml(html`${value}`);

  it("escapes texts, so that they are nothing but text in content and in double-quoted attribute values", () => {
    expect(print(`&<>"'`)).toBe("&amp;&lt;&gt;&quot;&#39;");
    expect(print("&amp;&&")).toBe("&amp;amp;&amp;&amp;");
    expect(print("</script><!--")).toBe("&lt;/script&gt;&lt;!--");
    expect(formatHtml(html`<a title="${'" onclick="x'}">${"<b>"}</a>`)).toBe(
      '<a title="&quot; onclick=&quot;x">&lt;b&gt;</a>',
    );
    for (const plain of ["", "$1$$`", "語 é 👩‍💻 \u0000", "\\ ` = / ;", "{{ x }}"]) expect(print(plain)).toBe(plain);
  });

  it("prints numbers, zero too, and nothing for undefined or an empty list", () => {
    expect([0, 0.8, -1, 1e21].map(print)).toEqual(["0", "0.8", "-1", "1e+21"]);
    expect(formatHtml(html`<p>${undefined}${[]}${[undefined, [undefined]]}</p>`)).toBe("<p></p>");
  });

  it("leaves no space in a tag for an attribute that is not there, and every space of a text", () => {
    const option = (chosen: Html | undefined): string =>
      formatHtml(html`<option value="${" "}" ${chosen}>a ${undefined}</option>`);
    expect([option(undefined), option(html`selected`)]).toEqual([
      '<option value=" ">a </option>',
      '<option value=" " selected>a </option>',
    ]);
    expect(formatHtml(html`<p>${"a "}${undefined}></p>`)).toBe("<p>a ></p>");
  });

  it("nests what is HTML already, once, and lists one after the other", () => {
    const inner = html`<b>${"<"}</b>`;
    expect(print(inner)).toBe("<b>&lt;</b>");
    expect(print(html`${html`${inner}`}`)).toBe("<b>&lt;</b>");
    expect(formatHtml(html`<i>${["<", 1, inner, [inner, "&"]]}</i>`)).toBe("<i>&lt;1<b>&lt;</b><b>&lt;</b>&amp;</i>");
  });

  it("takes nothing that came as JSON for HTML", () => {
    for (const text of ['{"markup":"<b>"}', '{"Symbol(markup)":"<b>"}', "{}", '{"__proto__":{"markup":"<b>"}}']) {
      expect(() => print(JSON.parse(text) as HtmlValue), text).toThrow(TypeError);
    }
    expect(print(JSON.parse('["<b>"]') as HtmlValue)).toBe("&lt;b&gt;");
  });
});

describe("a page", () => {
  const shell = '<title> · Site</title><link nonce rel="x"><script nonce src="y"></script><main id="main"></main>';

  it("gets the response's nonce where a tag that runs or styles is marked, and nowhere else", () => {
    const text = '<link nonce rel="x"><script nonce type="module"></script><p nonce >nonce <b>nonce</b> <code>nonce ';
    const print = (nonce: string): string => Buffer.from(new Page(text).render(nonce)).toString();
    expect(print("AB+/=")).toBe(
      '<link nonce="AB+/=" rel="x"><script nonce="AB+/=" type="module"></script>' +
        "<p nonce >nonce <b>nonce</b> <code>nonce ",
    );
    expect(print("one").replaceAll("one", "two")).toBe(print("two"));
  });

  it("is the shell with a title and a main, both escaped where they are texts", () => {
    const fill = parseShell(shell);
    const page = fill({
      title: '</title><script nonce src="evil">',
      main: html`<p>${'<link nonce x>$&<main id="main">'}</p>`,
    });
    expect(Buffer.from(page.render("N")).toString()).toBe(
      '<title>&lt;/title&gt;&lt;script nonce src=&quot;evil&quot;&gt; · Site</title><link nonce="N" rel="x">' +
        '<script nonce="N" src="y"></script><main id="main"><p>&lt;link nonce x&gt;$&amp;' +
        "&lt;main id=&quot;main&quot;&gt;</p></main>",
    );
    expect(Buffer.from(fill({ title: "", main: html`` }).render("N")).toString()).toBe(
      shell.replaceAll("nonce", 'nonce="N"'),
    );
  });

  it("cannot be made from a shell without a title or a main", () => {
    expect(() => parseShell('<main id="main"></main>')).toThrow("The shell has no <title>");
    expect(() => parseShell("<title></title><main></main>")).toThrow('The shell has no <main id="main">');
  });
});

/** Node 20 has a getter in the place of the method, which a later draft of ECMA-402 gave. */
interface TextLocale extends Intl.Locale {
  readonly textInfo?: { readonly direction: string };
  getTextInfo?(): { readonly direction: string };
}

/** Written right to left, which Intl does not say: it has no data for the language. */
const NOT_IN_GETTER = ["ae", "dv"];

describe("the direction of a language tag", () => {
  const rightToLeft =
    "ar AR ar-EG he iw he-IL fa fa-AF ur yi ji dv ps sd ug ckb ckb-IR syr nqo arc az-Arab az-Arab-AZ az-IR pa-PK pa-Arab " +
    "uz-AF uz-Arab ku-Arab ku-IQ ks kk-CN ms-Arab en-Hebr und-Arab zh-Arab ff-Adlm en-Thaa ar-u-nu-latn he-x-latn";
  const leftToRight =
    "en de fr pt-BR pt-PT zh-Hant zh-Hant-TW zh-TW ja ko ru hi th tr az az-AZ pa uz ku ks-Deva sd-IN sd-Deva ug-KZ ms " +
    "ar-Latn ar-Latn-EG fa-Latn he-Latn-IL ur-Deva zh-cmn-Hant en-x-arab en-u-nu-arab x-arab und i-klingon sr-Cyrl a " +
    "en-Latn-arab1 de-1996 es-419";

  it("is that of its script, its language, or its language in its region, and left-to-right where nothing is said", () => {
    for (const tag of rightToLeft.split(" ")) expect(textDirection(tag), tag).toBe("rtl");
    for (const tag of leftToRight.split(" ")) expect(textDirection(tag), tag).toBe("ltr");
    expect(textDirection("")).toBe("ltr");
  });

  it("is that of CLDR for every language of two letters", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz".split("");
    for (const tag of letters.flatMap((first) => letters.map((second) => first + second))) {
      const locale = new Intl.Locale(tag) as TextLocale;
      const known = NOT_IN_GETTER.includes(tag) ? { direction: "rtl" } : locale.textInfo;
      expect(textDirection(tag), tag).toBe((locale.getTextInfo?.() ?? known)?.direction);
    }
  });
});

describe("the pages of a long list", () => {
  // Every text is its key.
  const texts = new Proxy<Record<string, string>>({}, { get: (_texts, key) => String(key) });
  const links = (page: number, pageCount: number): string[] => {
    const { main } = conceptsPage(
      { concepts: [], total: 1, query: "", page, pageCount },
      textsOf({ language: "en", texts }),
    );
    const items = formatHtml(main).match(/(?<=<li>).*?(?=<\/li>)/gs) ?? [];
    return items.map((item) => {
      const [, number = "…"] = /href="\/concepts\?page=(\d+)"/.exec(item) ?? [];
      const [mark = ""] = /rel="prev"|rel="next"|aria-current="page"/.exec(item) ?? [];
      return mark === "" ? number : `${number} ${mark}`;
    });
  };

  it("are the first, the last and those next to the one shown, with the previous and the next", () => {
    expect(links(1, 2)).toEqual(['1 aria-current="page"', "2", '2 rel="next"']);
    expect(links(2, 2)).toEqual(['1 rel="prev"', "1", '2 aria-current="page"']);
    expect(links(1, 9)).toEqual(['1 aria-current="page"', "2", "…", "9", '2 rel="next"']);
    expect(links(3, 9)).toEqual(['2 rel="prev"', "1", "2", '3 aria-current="page"', "4", "…", "9", '4 rel="next"']);
    expect(links(5, 9)).toEqual([
      '4 rel="prev"', "1", "…", "4", '5 aria-current="page"', "6", "…", "9", '6 rel="next"',
    ]); // prettier-ignore
    expect(links(9, 9)).toEqual(['8 rel="prev"', "1", "…", "8", '9 aria-current="page"']);
    expect(links(1, 1)).toEqual([]);
  });
});
