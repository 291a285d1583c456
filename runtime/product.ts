/** The release label, once (contract §9; rulings O-65, V08). Nothing here comes from a clock. */
const productVersion = "v22";
const classification: "wip" | "final" = "wip";

export const product = {
  productVersion,
  packageVersion: classification === "wip" ? `${productVersion}-wip` : productVersion,
  classification,
  /** Date of the reference release. */
  updated: "2026-09-02",
  /** Version of the API description. */
  apiVersion: "1.7.0",
} as const;
