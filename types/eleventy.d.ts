/** The part of Eleventy 3 that generator/pages.ts uses; the package brings no types. */
declare module "@11ty/eleventy" {
  interface EleventyConfig {
    addGlobalData(name: string, value: unknown): void;
    addShortcode(name: string, print: (...values: never[]) => string): void;
    addDateParsing(parse: () => Date): void;
    setUseTemplateCache(useCache: boolean): void;
    setNunjucksEnvironmentOptions(options: { throwOnUndefined: boolean }): void;
    setTemplateFormats(formats: readonly string[]): void;
    addTemplate(path: string, text: string): void;
    setUseGitIgnore(use: boolean): void;
    readonly ignores: Set<string>;
    readonly benchmarks: { readonly config: { setIsVerbose(isVerbose: boolean): void } };
  }

  interface RenderedPage {
    readonly url: string | false;
    readonly inputPath: string;
    readonly outputPath: string | false;
    readonly content: string;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: null; loader: "esm"; config: (config: EleventyConfig) => void },
    );
    disableLogger(): void;
    toJSON(): Promise<RenderedPage[]>;
  }
}
