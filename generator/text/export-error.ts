/** A record cannot be exported as it is. The message is one line for the person who asked. */
export class ExportError extends Error {
  override name = "ExportError";
}
