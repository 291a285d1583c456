/**
 * Threads: a module that runs beside this program, on another core. They share no memory, only open
 * files; an error of the module is the error of its answer.
 */
import { parentPort, Worker, workerData } from "node:worker_threads";

export interface Thread<Answer> {
  readonly answer: Promise<Answer>;
  /** Ends the thread, whatever it is doing. */
  readonly end: () => Promise<void>;
}

export function startThread<Answer>(module: URL, input: unknown): Thread<Answer> {
  // Options of the program, such as --input-type, can refuse the module; V8 keeps its own anyway.
  const worker = new Worker(module, { workerData: input, execArgv: [] });
  const answer = new Promise<Answer>((resolve, reject) => {
    worker
      .once("message", resolve)
      .once("error", reject)
      .once("exit", () => reject(new Error("A thread ended without an answer")));
  });
  // The error is reported where the answer is awaited, which may be later.
  answer.catch(() => undefined);
  return { answer, end: async () => void (await worker.terminate()) };
}

/** The module of a thread calls this once. */
export function answerThread(answer: (input: never) => unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(answer(workerData as never));
}
