/** What every document is printed from: the checked registry, the origin it is published at, the release it belongs to. */
import { paths } from "../../runtime/policy.ts";
import type { CheckedRegistry } from "../registry/checked.ts";

export interface View {
  readonly registry: CheckedRegistry;
  /** Absolute http(s) origin without a trailing slash. */
  readonly origin: string;
}

export function conceptUrl(view: View, code: string): string {
  return `${view.origin}${paths.concepts}/${code}`;
}
