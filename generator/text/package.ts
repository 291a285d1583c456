/** The name and the version of the npm package, as its package.json has them. */
import { product } from "../../runtime/contract/product.ts";

export const PACKAGE = "semantic-resolution-service";
/** The version of the package: that of the release label, in the form of npm. */
export const VERSION = product.packageVersion.replace(/^v(\d+)/, "$1.0.0");
