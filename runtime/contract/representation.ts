/**
 * The refusal of a representation, and the API catalog's linkset. Source: contract §4.5, §7; RFC
 * 9457; RFC 9264 §4.2.
 */
import * as Type from "./type.ts";
import { Text, Url } from "./document.ts";
import { closed } from "./schema.ts";

/** The 406 body: RFC 9457 members, the contract's four, and what is available (O-47). */
export const NotAcceptable = closed({
  type: Url,
  title: Text,
  status: Type.Literal(406),
  detail: Text,
  instance: Text,
  available: Type.Array(closed({ type: Text, href: Url })),
  semanticAssignment: Type.Literal(false),
  downstreamAuthorization: Type.Literal(false),
  downstreamSideEffects: Type.Literal(0),
});
export type NotAcceptable = Type.Static<typeof NotAcceptable>;

/** RFC 9264 §4.2.3: a target is an object with `href`; `rel` is never inside it. */
const LinkTarget = closed({ href: Url, type: Type.Optional(Text), title: Type.Optional(Text) });
const Targets = Type.Array(LinkTarget, { minItems: 1 });

/** §4.2.2: a context has an anchor and, under each relation type, an array of targets. */
const LinkContext = closed({
  anchor: Url,
  item: Type.Optional(Targets),
  "service-desc": Type.Optional(Targets),
  "service-doc": Type.Optional(Targets),
  "service-meta": Type.Optional(Targets),
  status: Type.Optional(Targets),
});
export type LinkContext = Type.Static<typeof LinkContext>;

/** RFC 9264 §4.2: one object with the one member `linkset`. */
export const Linkset = closed({ linkset: Type.Array(LinkContext, { minItems: 1 }) });
export type Linkset = Type.Static<typeof Linkset>;
