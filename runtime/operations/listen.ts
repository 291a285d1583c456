/**
 * Listens on the address, Unix socket or inherited socket of the settings. Removes a Unix socket
 * that a killed process left, but not one on which a process still answers.
 */
import { once } from "node:events";
import { lstatSync, unlinkSync } from "node:fs";
import net from "node:net";
import { type Address, SettingError } from "./settings.ts";

/** The system refuses to listen; the message is one line for the operator. */
export class ListenError extends Error {
  override name = "ListenError";
}

/**
 * Listens, and returns the origin or the socket for people. Throws ListenError, or SettingError if
 * the address, which the variable `name` sets, is not one of this machine.
 */
export async function listenOn(server: net.Server, address: Address, name: string): Promise<string> {
  try {
    if ("path" in address) await removeAbandoned(address.path);
    server.listen(address);
    await once(server, "listening");
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, address, name);
  }
  const bound = server.address();
  if (bound === null || typeof bound === "string") return `unix:${bound ?? ""}`;
  return `http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

function explain({ code, message }: NodeJS.ErrnoException, address: Address, name: string): Error {
  if (code === "EADDRINUSE" && "path" in address) return new ListenError(`${address.path} is in use: set ${name}`);
  // Node says the same of a folder that is missing and of one that may not be written.
  if (code === "EACCES" && "path" in address)
    return new ListenError(`Cannot make the socket ${address.path}: its folder is missing, or may not be written`);
  if (!("host" in address)) return new ListenError(`Cannot listen: ${message}`);
  const { host, port } = address;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL")
    return new SettingError(`${name} ${JSON.stringify(host)} is not an address of this machine`);
  const other = name === "HOST" ? "PORT or --port" : name;
  return new ListenError(
    code === "EADDRINUSE" ? `Port ${port} on ${host} is in use: set ${other}` : `Cannot listen: ${message}`,
  );
}

async function removeAbandoned(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const socket = net.connect(path);
  try {
    await once(socket, "connect");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") unlinkSync(path);
  } finally {
    socket.destroy();
  }
}
