import { type Command, CommanderError } from 'commander';
import { messageOf } from '../../platform/errors.js';
import { type AuditedCommand, type CliWrite, recordCommand } from './cli-audit.js';
import { cliConfig } from './cli-environment.js';
import type { CliIo } from './cli-io.js';
import { type CliLiveEvents, createCliLiveEvents } from './stores/cli-live-events.js';
import { type CliServices, withCliServices } from './stores/cli-services.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { visibleText } from '../../platform/visible-text.js';

/** Output of a command: `json` for machines, `text` for people. */
export interface CliResponse {
  json: unknown;
  text: string;
  /** True if the check found a problem: the output is printed, and the exit code is 1. */
  failed?: boolean;
  /** The exit code, if it says more than `failed`. */
  exitCode?: number;
}

/** Output of a command that writes. */
export interface WriteResponse extends CliResponse {
  /** One entry for each tenant that the command changed. */
  wrote: readonly CliWrite[];
  /** Why the command did not finish. If set, it is shown as the error instead of the output. */
  failure?: string;
}

/** Shared parts of all commands. */
export interface Cli {
  io: CliIo;
  /**
   * Returns the action of a command: opens the services, runs `work` with the command's arguments and options,
   * prints its result (as JSON with `--json`), and closes the services.
   */
  action(work: CommandWork<CliResponse>): (this: Command) => Promise<void>;
  /** Like `action`, for a command that writes: adds an audit entry for each changed tenant. */
  writeAction(action: string, work: CommandWork<WriteResponse>): (this: Command) => Promise<void>;
  /** Like `action`, for a command that needs no services and so no database. */
  offlineAction(work: OfflineWork): (this: Command) => Promise<void>;
}

/** The work of a command. Each command declares the type of its options; commander has parsed them. */
type CommandWork<Result> = (services: CliServices, options: never, args: string[]) => Promise<Result>;

/** The work of a command without services; `args` are all of its arguments, as typed. */
type OfflineWork = (options: never, args: string[]) => Promise<CliResponse>;

/** Creates the parts that all commands share. */
export function createCli(io: CliIo): Cli {
  const withServices = async <T>(
    command: Command,
    work: (services: CliServices, options: never, args: string[], liveEvents: CliLiveEvents) => Promise<T>,
  ): Promise<T> => {
    const config = await cliConfig(io.env);
    const options = command.optsWithGlobals();
    const liveEvents = createCliLiveEvents(config);
    return withCliServices(
      config,
      (services) => work(services, options as never, command.processedArgs as string[], liveEvents),
      liveEvents.changes,
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
        const { response, unrecorded } = await withServices(
          this,
          async (services, options, args, liveEvents) => {
            const done = await work(services, options, args);
            const entry = { action, command: nameOf(this), made: done.json };
            const error = await recordAll(services, done.wrote, entry);
            await liveEvents.publish(new Set(done.wrote.map(({ tenantId }) => tenantId)), services.database);
            return { response: done, unrecorded: error };
          },
        );
        if (response.failure === undefined) print(io, response, isForMachines(this));
        const errors = [response.failure, unrecorded].filter((error) => error !== undefined);
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

/** Returns the full name of a command: `fabula story import`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Returns the error instead of throwing it: the work is done, and its output (such as a new key) must be shown. */
async function recordAll(
  { database }: CliServices,
  wrote: readonly CliWrite[],
  entry: Pick<AuditedCommand, 'action' | 'command' | 'made'>,
): Promise<string | undefined> {
  try {
    for (const write of wrote) await recordCommand(database, { ...entry, ...write });
    return undefined;
  } catch (error) {
    return `the command succeeded, but could not write its audit log entry: ${messageOf(error)}`;
  }
}

/** @throws CommanderError for another exit code than 0: it ends the program with it and prints nothing more. */
function print(io: CliIo, response: CliResponse, asJson: boolean): void {
  const { json, text, failed = false, exitCode = failed ? 1 : 0 } = response;
  io.stdout.write(asJson ? `${stringifyJson(json)}\n` : `${text}\n`);
  if (exitCode !== 0) throw new CommanderError(exitCode, 'fabula.failed', 'see the output for details');
}

/** Formats rows as a text table with headings. */
export function table(headings: string[], rows: (string | number | null)[][]): string {
  const cells = [headings, ...rows.map((row) => row.map((cell) => visibleText(String(cell ?? '-'))))];
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
