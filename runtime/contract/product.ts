/** The release label and the version of the API description, once (contract §9; requirement V08; ruling O-65). No clock. */
import type { ReleaseLabel } from "./document.ts";

const productVersion = "v22";
const classification: ReleaseLabel["classification"] = "wip";

export const product = {
  productVersion,
  packageVersion: classification === "wip" ? `${productVersion}-wip` : productVersion,
  classification,
  /** Date of the label, as the contract gives it. */
  updated: "2026-09-02",
  /** Version of the API description, `info.version` of OpenAPI. */
  apiVersion: "1.7.0",
} as const satisfies ReleaseLabel;
