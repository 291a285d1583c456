/** The part of jsonld that tests use; the package brings no types. */
declare module "jsonld" {
  interface RemoteDocument {
    readonly contextUrl: string | null;
    readonly documentUrl: string;
    readonly document: unknown;
  }
  interface Options {
    readonly documentLoader?: (url: string) => Promise<RemoteDocument>;
    readonly base?: string;
  }
  const jsonld: {
    /** Quads in the form of RDF/JS, of a document or of what is at an address. */
    expand(document: string | object, options?: Options & { readonly safe?: boolean }): Promise<object[]>;
    toRDF(document: object | string, options?: Options): Promise<object[]>;
    readonly util: {
      parseLinkHeader(field: string): Record<string, { readonly target: string; readonly type?: string }>;
    };
  };
  export default jsonld;
}
