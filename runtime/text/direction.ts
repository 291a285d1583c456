/**
 * The usual writing direction of a language. The script subtag decides or, without one, the usual
 * script of the language, which can differ by region. Any other tag is left-to-right. The text
 * itself is never inspected.
 * Source: BCP 47; the likely subtags and script metadata of CLDR 48.
 */

/** ISO 15924 codes of the scripts that are written right-to-left. */
const scripts = words(
  "adlm arab aran armi avst chrs cprt elym gara hatr hebr hung khar lydi mand mani mend merc mero narb nbat nkoo orkh " +
    "ougr palm phli phlp phnx prti rohg samr sarb sidt sogd sogo syrc syre syrj syrn thaa yezi",
);

/** Languages whose likely script is one of these. */
const languages = words(
  "aao abh abv acm acq acw acx adf ae aeb aec aee aeq afb aib aii aij aiq ajp ajt aju amw apc apd ar arb arc arq ars " +
    "ary arz ask atn auj auz avd avl ayh ayl ayn ayp azb bal bcc bdz bej bft bgn bgp bhe bhm bhn bjf bjm bqi brh brk " +
    "bsh bsk chg cja ckb cld clh czk dcc def deh dgl dmk dml drw dv ecy esh fa fay faz fia fub gbz ggg gha ghr gig " +
    "gjk gju glh glk grr gwc gwf gwt gzi hac haz hbo he hkh hnd hno hoh hrt hrz hss huy isk itk iw jad jat jbe jbn " +
    "jdg ji jnd jog jpa jpr jrb jye kbu kby kcy kfm khw klj kmz kqd ks ktl kvx kxp kzh lad lah lhs lki lrc lrk lrl " +
    "lsa lsd lss luv luz mby mde mey mfa mfi mhj mid mki mnj mve mvy myz mzb mzn nli nlm nqo ntz nyq oar obm odk oru " +
    "ota otk oui pal pbt pbu pes pgd phl phn phr phv plk pmu pnb prc prd prs prx ps psh psi pst qxq rdb rhg rmt sam " +
    "sbn scl sd sdb sdf sdg sdh sds sgl sgr sgy shd shm shu shv siy siz skr smp smy sog sqo sqt srh srz ssh sts swb " +
    "syc syn syr tjo tks tmr tnf tov tra trg trm trw ug ur ush uzs vaf vgr vmh wbk wlo wne wni wsv xco xhe xka xkc " +
    "xkj xkp xld xly xmn xmr xna xpr xsa xsd xvi ydd ydg yhd yi yih yud zba zdj zrp zum",
);

/** Languages that are written in the other direction in these regions. */
const turned = words(
  "az-iq az-ir azj-iq azj-ir ha-cm ha-sd kk-af kk-cn kk-ir kk-mn kmr-iq kmr-ir kmr-lb ku-iq ku-ir ku-lb ky-cn mey-sn " +
    "ms-cc pa-pk sd-in tg-pk ug-kz ug-mn uz-af uzn-af zsm-cc",
);

/** The `dir` value of a text whose language has this BCP 47 tag. */
export function textDirection(tag: string): "ltr" | "rtl" {
  const subtags = tag.toLowerCase().split("-");
  // Subtags after a singleton belong to an extension or private use; they are never a script or
  // region.
  const singleton = subtags.findIndex((subtag) => subtag.length === 1);
  const [language = "", ...own] = singleton < 0 ? subtags : subtags.slice(0, singleton);
  const script = own.find((subtag) => /^[a-z]{4}$/.test(subtag));
  if (script !== undefined) return scripts.has(script) ? "rtl" : "ltr";
  const region = own.find((subtag) => /^(?:[a-z]{2}|[0-9]{3})$/.test(subtag));
  return languages.has(language) === turned.has(`${language}-${region}`) ? "ltr" : "rtl";
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
