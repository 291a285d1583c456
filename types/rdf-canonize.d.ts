/** The part of rdf-canonize 5 that tests use; the package brings no types. */
declare module "rdf-canonize" {
  /** The canonical N-Quads of quads in the form of RDF/JS. */
  export function canonize(
    quads: readonly unknown[],
    options: { algorithm: "RDFC-1.0"; format: "application/n-quads" },
  ): Promise<string>;
}
