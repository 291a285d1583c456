/**
 * The report for tools that show findings at their lines, such as code scanning: SARIF 2.1.0
 * (OASIS), one rule for each verdict. Rows that agree or are allowed are not findings.
 */
import { VERSION } from "../../text/package.ts";
import type { DataRow } from "./records.ts";
import type { Report, Subject } from "./report.ts";
import type { Judgement } from "./scheme.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
export class SarifReport implements Report {
  readonly #subject: Subject;
  readonly #rules: readonly string[];
  /** §3.27.10: the place of the file; lines of standard input have only a name. */
  readonly #uri: string | undefined;
  #hasResults = false;

  constructor(subject: Subject) {
    this.#subject = subject;
    const { scheme } = subject;
    this.#rules = scheme.verdicts.filter((verdict) => !scheme.isFine(verdict, new Set()));
    this.#uri = subject.file === undefined ? undefined : uriOf(subject.file);
  }

  begin(): string {
    const rules = this.#rules.map((id) => {
      const { title, remedy, level } = this.#subject.scheme.meaningOf(id);
      return {
        id,
        shortDescription: { text: title },
        help: { text: remedy },
        defaultConfiguration: { level },
      };
    });
    const driver = { name: "srs check", version: VERSION, rules };
    const properties = { registryVersion: this.#subject.registryVersion };
    return `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver })},"columnKind":"utf16CodeUnits","properties":${JSON.stringify(properties)},"results":[\n`;
  }

  row(row: DataRow, judgement: Judgement): string {
    const { verdict, evidence } = judgement;
    const { scheme, allowed } = this.#subject;
    if (scheme.isFine(verdict, allowed)) return "";
    const { level, remedy } = scheme.meaningOf(verdict);
    const region = { startLine: row.line };
    const location =
      this.#uri === undefined
        ? { logicalLocations: [{ name: `line ${row.line}`, fullyQualifiedName: `standard input, line ${row.line}` }] }
        : { physicalLocation: { artifactLocation: { uri: this.#uri }, region } };
    const result = {
      ruleId: verdict,
      ruleIndex: this.#rules.indexOf(verdict),
      level,
      message: { text: `${scheme.sentenceOf(judgement, row)}. ${remedy}` },
      locations: [location],
      properties: evidence,
    };
    const comma = this.#hasResults ? "," : "";
    this.#hasResults = true;
    return `${comma}${JSON.stringify(result)}\n`;
  }

  end(): string {
    return "]}]}\n";
  }
}

/** A relative reference, or a file URI for an absolute path (RFC 8089). */
function uriOf(file: string): string {
  const parts = file.replaceAll("\\", "/").split("/").map(encodeURIComponent);
  return `${file.startsWith("/") ? "file://" : ""}${parts.join("/")}`;
}
