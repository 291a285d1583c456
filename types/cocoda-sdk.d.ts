/** What tests use of cocoda-sdk, which has no types: its client of the Reconciliation API. */
declare module "cocoda-sdk" {
  interface Mapping {
    readonly to: { readonly memberSet: readonly { readonly uri: string }[] };
    readonly type: readonly string[];
  }
  interface Registry {
    getMappings(of: { readonly from: object; readonly mode: string }): Promise<readonly Mapping[]>;
  }
  export function addAllProviders(): void;
  export const cdk: { initializeRegistry(registry: object): Registry };
}
