/** Resolves hundreds of thousands of expressions over a few connections, with pipelining. */
import net from "node:net";

export interface Request {
  readonly expression: string;
  readonly language?: string;
}

/** What matters of an answer; `code` of one that resolved, `candidates` by code in their order. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string | null;
  readonly candidates: readonly string[];
}

const CONNECTIONS = 4;
const AHEAD = 32;

/** The answers in the order of the requests. */
export function resolveMany(port: number, requests: readonly Request[]): Promise<Answer[]> {
  return sendMany(port, { count: requests.length, format: (i) => formatRequest(requests[i]), read: readAnswer });
}

/** Requests as texts that are made when they are sent, and what is kept of their answers. */
export interface Many<T> {
  readonly count: number;
  readonly format: (index: number) => string;
  readonly read: (reply: RawReply) => T;
}

/** What is kept of the answers, in the order of the requests. */
export async function sendMany<T>(port: number, { count, format, read }: Many<T>): Promise<T[]> {
  const answers = Array.from<T>({ length: count });
  let next = 0;
  const take = (): [number, string] | undefined => (next < count ? [next, format(next++)] : undefined);
  const put = (index: number, reply: RawReply): void => {
    answers[index] = read(reply);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(port, { take, put })));
  return answers;
}

interface Work {
  readonly take: () => [index: number, text: string] | undefined;
  readonly put: (index: number, reply: RawReply) => void;
}

/** One connection, until there is nothing left to ask. */
function converse(port: number, { take, put }: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    const asked: number[] = [];
    let held: Buffer = Buffer.alloc(0);
    const ask = (): void => {
      let text = "";
      while (asked.length < AHEAD) {
        const [index, request] = take() ?? [];
        if (index === undefined) break;
        asked.push(index);
        text += request;
      }
      if (text !== "") socket.write(text);
      if (asked.length === 0) socket.end();
    };
    socket.on("connect", ask).on("error", reject);
    socket.on("close", () => (asked.length === 0 ? resolve() : reject(new Error("The service hung up"))));
    socket.on("data", (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      try {
        for (let reply = cutReply(held); reply !== undefined; reply = cutReply(held)) {
          held = held.subarray(reply.end);
          const index = asked.shift();
          if (index === undefined) throw new Error("An answer that nobody asked for");
          put(index, reply);
        }
      } catch (error) {
        socket.destroy();
        reject(error);
        return;
      }
      if (asked.length <= AHEAD / 2) ask();
    });
  });
}

function formatRequest(request: Request | undefined): string {
  const body = JSON.stringify(request);
  const head = "POST /api/v1/resolve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export interface RawReply {
  readonly status: number;
  readonly body: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

function cutReply(bytes: Buffer): RawReply | undefined {
  const blank = bytes.indexOf("\r\n\r\n");
  if (blank < 0) return undefined;
  const head = bytes.toString("latin1", 0, blank);
  const length = Number(/^content-length: *([0-9]+)/im.exec(head)?.[1]);
  if (Number.isNaN(length)) throw new Error(`No length in ${head}`);
  const end = blank + 4 + length;
  return bytes.length < end
    ? undefined
    : { status: Number(head.slice(9, 12)), body: bytes.subarray(blank + 4, end), end };
}

interface Envelope {
  readonly data: {
    readonly status: string;
    readonly reason: string | null;
    readonly concept: { readonly code: string } | null;
    readonly candidates: readonly { readonly code: string }[];
  } | null;
}

function readAnswer({ status, body }: RawReply): Answer {
  const { data } = JSON.parse(body.toString("utf8")) as Envelope;
  if (data === null) return { status, code: undefined, reason: body.toString("utf8"), candidates: [] };
  const code = data.status === "resolved" ? data.concept?.code : undefined;
  return { status, code, reason: data.reason, candidates: data.candidates.map((candidate) => candidate.code) };
}
