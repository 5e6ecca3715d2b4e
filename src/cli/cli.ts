import type { Command } from 'commander';
import { cliConfig } from './cli-environment.js';
import type { CliIo } from './cli-io.js';
import { type CliServices, withCliServices } from './cli-services.js';

/** A command's answer: `json` for machines, `text` for people. */
export interface CliAnswer {
  json: unknown;
  text: string;
}

/** What the commands are given. */
export interface Cli {
  io: CliIo;
  /**
   * The action of a command: opens the services, runs `work` with the command's arguments and options, prints
   * what it answers (as JSON with `--json`), and closes the services.
   */
  action(work: CommandWork): (this: Command) => Promise<void>;
}

/** What a command does. The type of its options is its own business: they are as commander read them. */
type CommandWork = (services: CliServices, options: never, args: string[]) => Promise<CliAnswer>;

/** The part of the commands that is the same for all. */
export function createCli(io: CliIo): Cli {
  return {
    io,
    action(work) {
      return async function run(this: Command): Promise<void> {
        const options = this.optsWithGlobals<{ json?: boolean }>();
        const config = await cliConfig(io.env);
        const answer = await withCliServices(config, (services) =>
          work(services, options as never, this.processedArgs as string[]),
        );
        io.stdout.write(options.json === true ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`);
      };
    },
  };
}

/** Rows under headings, for people. */
export function table(headings: string[], rows: (string | number | null)[][]): string {
  const cells = [headings, ...rows.map((row) => row.map((cell) => String(cell ?? '-')))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
