/** The release label, once (contract §9; requirement V08). Nothing here comes from a clock. */
const productVersion = "v22";
const classification: "wip" | "final" = "wip";

export const product = {
  productVersion,
  packageVersion: classification === "wip" ? `${productVersion}-wip` : productVersion,
  classification,
} as const;
