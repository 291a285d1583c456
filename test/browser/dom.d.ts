/**
 * The names of the DOM that playwright-core's types mention, and no more of it: with the DOM
 * library in the program, `document` would type-check in the runtime too. What runs in the page is
 * given as text.
 */
interface Node {
  readonly nodeType: number;
}
interface HTMLElement extends Node {
  readonly title: string;
}
interface SVGElement extends Node {
  readonly id: string;
}
interface HTMLElementTagNameMap {
  readonly html: HTMLElement;
}
