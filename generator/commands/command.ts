/** A command: usage, options and run in one value, which its own module exports as `command`. */
import type { Console, Effects } from "../effects/effects.ts";
import type { CommandName } from "../text/commands.ts";
import { UsageError } from "../text/usage-error.ts";
import type { Options, Values, CommandLine } from "./options.ts";
import { readSettings, type Settings } from "./service-file.ts";

/** Everything outside the program that a command may use. */
export interface Outside {
  readonly effects: Effects;
  readonly console: Console;
  readonly env: NodeJS.ProcessEnv;
  /**
   * The folder of the defaults if there is no service.yaml, relative to the working directory; by
   * default, the working directory itself.
   */
  readonly home?: string;
}

/** What a command runs in. */
export interface Program extends Outside {
  /**
   * Runs another command of the list, which prints here, and returns its exit code: a tool knows
   * the commands of other tools by their names alone.
   */
  run(this: void, args: readonly [name: CommandName, ...string[]]): Promise<number>;
}

interface Text {
  /** The text after its name. */
  readonly usage: string;
  /** Its description in the help, which wraps the lines. */
  readonly does: string;
  /** Whether it takes arguments that are not options. */
  readonly takesArguments?: boolean;
}

interface Definition<O extends Options> extends Text {
  readonly options: O;
  /** Exit code 0 done, 1 findings or a refusal; throws UsageError for wrong usage, which is 2. */
  run(this: void, outside: Program, options: Values<O>, args: readonly string[]): number | Promise<number>;
}

/** A command that hides the types of its options. */
export interface Command extends Text {
  readonly options: Options;
  start(outside: Program, written: CommandLine): Promise<number>;
}

export function defineCommand<O extends Options>({ options, run, ...text }: Definition<O>): Command {
  return {
    ...text,
    options,
    async start(outside, written) {
      const { args } = written;
      const [extra] = args;
      if (extra !== undefined && text.takesArguments !== true)
        throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}`);
      let found: Settings | undefined;
      const settings = (): Settings => (found ??= readSettings(outside.effects, outside.home));
      const values = Object.entries(options).map(([name, option]) => {
        const [flag, given = []] = [flagOf(name), written.options[name]];
        const texts = given === true ? [flag] : given;
        if (texts.includes("")) throw new UsageError(`${flag} needs a value`);
        return [name, option.read(texts, { flag, env: outside.env, effects: outside.effects, written, settings })];
      });
      return run(outside, Object.fromEntries(values) as Values<O>, args);
    },
  };
}

/** `--code-from` for `codeFrom`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
