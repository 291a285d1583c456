/** What a command says: results on standard output, faults and progress on standard error. */
export interface Console {
  print(text: string): void;
  error(text: string): void;
  /** One line that is written over; an empty one clears it. Only on a terminal. */
  progress(text: string): void;
}

export const terminal: Console = {
  print: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  progress(text) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  },
};
