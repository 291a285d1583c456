/** As much of node:sqlite (Node 22.13 and newer) as bench/ uses; the types of Node 20 do not have it. */
declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(file: string, options?: { readonly readOnly?: boolean });
    exec(sql: string): void;
    prepare(sql: string): {
      run(...values: readonly (string | number | Uint8Array)[]): unknown;
      get(...values: readonly (string | number | Uint8Array)[]): unknown;
      all(...values: readonly (string | number | Uint8Array)[]): unknown[];
    };
    close(): void;
  }
}
