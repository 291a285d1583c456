/** What a caller is told of an unexpected error: that the registry cannot be read, or only that the service failed (O-27). */
import { type Problem, problem } from "../contract/problem.ts";
import { IndexError } from "../registry/index.ts";

export function problemOf(error: unknown): Problem {
  return problem(error instanceof IndexError ? "registry_unavailable" : "internal_error");
}
