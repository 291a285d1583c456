/** A proxy that spoils the answers of `POST /mcp`, to show that a judge of them notices. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Service } from "./service.ts";
import { listening } from "./free-port.ts";

/** A message of MCP. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly data?: Readonly<Record<string, unknown>> };
}

interface Answer {
  readonly status: number;
  readonly message: Message;
}

type Fields = Readonly<Record<string, string>>;
export type Change = (answer: Answer) => Answer;

/** What a worse server does: takes other fields than were sent, or answers something else. */
export interface Fault {
  readonly fields?: (fields: Fields, message: Message) => Fields;
  readonly answer?: Change;
}

/** Puts a proxy with this fault in front of the service until the test ends, and gives its port. */
export async function proxy(
  service: Service,
  { fields = (sent) => sent, answer = (made) => made }: Fault,
): Promise<number> {
  const server = createServer((request, response) => {
    const relay = async (): Promise<void> => {
      const { "content-length": _sent, ...sent } = request.headers as Fields;
      const body = await buffer(request);
      const message = body.length === 0 ? {} : (JSON.parse(body.toString()) as Message);
      const headers = { ...fields(sent, message) };
      const reply = await service.send(request.method ?? "", request.url ?? "", { headers, body });
      const made = answer({ status: reply.status, message: reply.json() as Message });
      const { "content-length": _made, ...rest } = reply.headers;
      response.writeHead(made.status, rest).end(JSON.stringify(made.message));
    };
    void relay();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}
