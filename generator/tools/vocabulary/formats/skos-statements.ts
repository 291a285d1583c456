/**
 * A graph as the lines that a registry keeps: those of each subject, with the blank nodes that
 * belong to it. Equal RDF gives equal lines, whatever the order of the file.
 */
import { locationOf } from "../../../text/finding.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { type BlankNodes, nameBlankNodes } from "./blank-nodes.ts";
import { asWritten } from "../../../skos/rdf-line.ts";
import { formatSaid } from "./statement-lines.ts";
import type { Graph, Subject } from "./skos-gather.ts";
import type { SourceSubject } from "./source.ts";

export class Statements {
  readonly #graph: Graph;
  readonly #blanks: BlankNodes;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#blanks = nameBlankNodes(graph);
  }

  /** The statements about a subject with an IRI, in order. */
  linesOf(subject: Subject): string[] {
    const lines = this.#own(subject);
    for (const id of this.#blanks.ownedBy(subject.id)) {
      const blank = this.#graph.get(id);
      if (blank === undefined) continue;
      const label = this.#blanks.labelOf(id);
      for (const line of this.#own(blank)) lines.push(`${label} ${line}`);
    }
    return [...new Set(lines)].sort(compareCodePoints);
  }

  /** The statements about all subjects except the chosen ones, in order of subject. */
  others(chosen: ReadonlySet<string>): SourceSubject[] {
    const named = [...this.#graph.values()].filter(({ id, isBlank }) => !isBlank && !chosen.has(id));
    const blanks = this.#blanks.shared.flatMap((id) => this.#graph.get(id) ?? []);
    return [
      ...named.map((subject) => ({
        ...locationOf(subject),
        subject: asWritten(subject.id),
        source: this.linesOf(subject),
      })),
      ...blanks.map((blank) => ({
        ...locationOf(blank),
        subject: this.#blanks.labelOf(blank.id),
        source: [...new Set(this.#own(blank))].sort(compareCodePoints),
      })),
    ].sort((a, b) => compareCodePoints(a.subject, b.subject));
  }

  #own(subject: Subject): string[] {
    return formatSaid(subject, (id) => this.#blanks.labelOf(id));
  }
}
