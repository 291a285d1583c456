/** Clients that never stop asking, on kept connections and on new ones. No request may be lost. */
import http from "node:http";

export interface Load {
  /** Answers so far. */
  readonly answered: () => number;
  /** Ends the clients; gives what went wrong, by error code or status. */
  stop(): Promise<readonly string[]>;
}

export function startLoad(port: number, { keeping, renewing }: { keeping: number; renewing: number }): Load {
  let answered = 0;
  const ending = new AbortController();
  const failures: string[] = [];
  const body = '{"expression":"taxi"}';
  const headers = { "content-type": "application/json", "content-length": body.length };
  const ask = (agent: http.Agent): Promise<void> =>
    new Promise((resolve) => {
      const fail = (reason: string): void => {
        failures.push(reason);
        resolve();
      };
      const request = http.request({
        agent,
        port,
        host: "127.0.0.1",
        method: "POST",
        path: "/api/v1/resolve",
        headers,
      });
      request.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
      request.on("response", (response) => {
        if (response.statusCode === 200) answered++;
        else failures.push(String(response.statusCode));
        response.resume().on("end", resolve).on("error", () => fail("cut off")); // prettier-ignore
      });
      request.end(body);
    });
  const client = async (keepAlive: boolean): Promise<void> => {
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    while (!ending.signal.aborted) await ask(agent);
    agent.destroy();
  };
  const clients = [...Array.from({ length: keeping }, () => client(true)), ...Array.from({ length: renewing }, () => client(false))]; // prettier-ignore
  return {
    answered: () => answered,
    async stop() {
      ending.abort();
      await Promise.all(clients);
      return failures;
    },
  };
}
