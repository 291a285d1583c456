/** The release label and the API description's version; no clock (contract §9; V08; O-65). */
import type { ReleaseLabel } from "./document.ts";

const productVersion = "v22";
const classification: ReleaseLabel["classification"] = "wip";

export const product = {
  productVersion,
  packageVersion: classification === "wip" ? `${productVersion}-wip` : productVersion,
  classification,
  /** Date of the label, from the contract. */
  updated: "2026-09-02",
  /** Version of the API description: `info.version` in OpenAPI. */
  apiVersion: "1.7.0",
} as const satisfies ReleaseLabel;
