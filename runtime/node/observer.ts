/** Who sees every answer once it is handed to its connection, and how long it took. */
import type { Answer } from "../routes/route.ts";

export interface Observer {
  /** Seconds of a monotonic clock. */
  now(): number;
  /** `path` is that of the route, or `other` for what no route accepts. */
  answered(path: string, answer: Answer, seconds: number): void;
}
