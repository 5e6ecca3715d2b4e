import { type Command, CommanderError } from 'commander';
import { messageOf } from '../platform/errors.js';
import { type AuditedCommand, type CliWrite, recordCommand } from './cli-audit.js';
import { cliConfig } from './cli-environment.js';
import type { CliIo } from './cli-io.js';
import { type CliServices, withCliServices } from './cli-services.js';

/** A command's answer: `json` for machines, `text` for people. */
export interface CliAnswer {
  json: unknown;
  text: string;
  /** What was asked about is not well: the answer is printed all the same, and the exit code is 1. */
  failed?: boolean;
}

/** The answer of a command that writes. */
export interface WriteAnswer extends CliAnswer {
  /** One for each tenant that it changed something of. */
  wrote: readonly CliWrite[];
  /** What it could not do; then this is the error that is shown, instead of an answer. */
  failure?: string;
}

/** What the commands are given. */
export interface Cli {
  io: CliIo;
  /**
   * The action of a command: opens the services, runs `work` with the command's arguments and options, prints
   * what it answers (as JSON with `--json`), and closes the services.
   */
  action(work: CommandWork<CliAnswer>): (this: Command) => Promise<void>;
  /** The action of a command that writes: as `action`, and each write gets its entry in the audit log. */
  writeAction(action: string, work: CommandWork<WriteAnswer>): (this: Command) => Promise<void>;
  /** The action of a command that needs no services, and so no database; else as `action`. */
  offlineAction(work: OfflineWork): (this: Command) => Promise<void>;
}

/** What a command does. The type of its options is its own business: they are as commander read them. */
type CommandWork<Answer> = (services: CliServices, options: never, args: string[]) => Promise<Answer>;

/** What a command without services does; `args` are all of its arguments, as they were typed. */
type OfflineWork = (options: never, args: string[]) => Promise<CliAnswer>;

/** The part of the commands that is the same for all. */
export function createCli(io: CliIo): Cli {
  const withServices = async <T>(
    command: Command,
    work: (services: CliServices, options: never, args: string[]) => Promise<T>,
  ): Promise<T> => {
    const config = await cliConfig(io.env);
    const options = command.optsWithGlobals();
    return withCliServices(config, (services) =>
      work(services, options as never, command.processedArgs as string[]),
    );
  };
  return {
    io,
    action(work) {
      return async function run(this: Command): Promise<void> {
        print(io, await withServices(this, work), isForMachines(this));
      };
    },
    writeAction(action, work) {
      return async function run(this: Command): Promise<void> {
        const { answer, unrecorded } = await withServices(this, async (services, options, args) => {
          const done = await work(services, options, args);
          const entry = { action, command: nameOf(this), made: done.json };
          return { answer: done, unrecorded: await recordAll(services, done.wrote, entry) };
        });
        if (answer.failure === undefined) print(io, answer, isForMachines(this));
        const errors = [answer.failure, unrecorded].filter((error) => error !== undefined);
        if (errors.length > 0) throw new Error(errors.join('; '));
      };
    },
    offlineAction(work) {
      return async function run(this: Command): Promise<void> {
        print(io, await work(this.optsWithGlobals<never>(), this.args), isForMachines(this));
      };
    },
  };
}

function isForMachines(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** `fabula story import`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Gives what went wrong: what was done is done, and its answer (a key is shown once) must be shown. */
async function recordAll(
  { database }: CliServices,
  wrote: readonly CliWrite[],
  entry: Pick<AuditedCommand, 'action' | 'command' | 'made'>,
): Promise<string | undefined> {
  try {
    for (const write of wrote) await recordCommand(database, { ...entry, ...write });
    return undefined;
  } catch (error) {
    return `this was done, but the audit log has no entry of it: ${messageOf(error)}`;
  }
}

/** @throws CommanderError, which ends the program with exit code 1 and no further word, for an answer that failed. */
function print(io: CliIo, { json, text, failed = false }: CliAnswer, asJson: boolean): void {
  io.stdout.write(asJson ? `${JSON.stringify(json)}\n` : `${text}\n`);
  if (failed) throw new CommanderError(1, 'fabula.failed', 'the answer says what is wrong');
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
