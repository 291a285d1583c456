/**
 * The validators of everything that the runtime reads, one for each shape of inputs.ts. The compile
 * step writes them (generator/contract/validators.ts), into lib/ alone.
 */
import type { inputs } from "./inputs.ts";
import type { Validate } from "./validator.ts";

export declare const validators: Readonly<Record<keyof typeof inputs, Validate>>;
