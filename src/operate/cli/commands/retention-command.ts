import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  countedKinds,
  createRetentionLoop,
  emptyTally,
  periodsOf,
  type Retention,
  type RetentionKind,
  type RetentionTally,
} from '../../../engine/face.js';
import { createSilentLogger } from '../../../platform/logger.js';
import type { Cli } from '../cli.js';
import type { CliIo } from '../cli-io.js';

const SAY_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 500;
/** Data that expires while the command runs is left to the worker. */
const MAX_PASSES = 5;
/** A running worker finishes its pass within this time; the lease of a dead one ends after a minute. */
const WAIT_MS = 90_000;

interface RetentionOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** `retention`: deletes all expired data. Needs only the database. */
export function addRetentionCommand(program: Command, cli: Cli): void {
  program
    .command('retention')
    .description('delete expired data now, as the maintenance worker does in the background')
    .option('--dry-run', 'only count the data to delete; delete nothing')
    .action(
      cli.action(async ({ config, database }, { dryRun = false, json = false }: RetentionOptions) => {
        const retention = createRetentionLoop({
          database,
          periods: periodsOf(config),
          onlyArchived: config.archiveTo !== undefined,
          logger: createSilentLogger(),
        });
        const onProgress = json || dryRun ? () => undefined : createProgress(cli.io);
        const tally = dryRun
          ? ((await retention.pass({ countOnly: true })) ?? emptyTally())
          : await clearAll(retention, onProgress);
        return {
          json: { dry_run: dryRun, [dryRun ? 'due' : 'deleted']: tally },
          text: summary(tally, dryRun),
        };
      }),
    );
}

/** Repeats passes until one deletes nothing: rows that were locked in one pass may be free in the next. */
async function clearAll(
  retention: Retention,
  onProgress: (tally: RetentionTally) => void,
): Promise<RetentionTally> {
  const total = emptyTally();
  for (let passes = 1; passes <= MAX_PASSES; passes++) {
    const options = {
      thorough: true,
      onProgress: (tally: RetentionTally) => onProgress(sumOf(total, tally)),
    };
    const tally = await passInTurn(retention, options);
    const gone = countedKinds(tally);
    if (gone.length === 0) break;
    Object.assign(total, sumOf(total, tally));
  }
  return total;
}

/** Waits until no other process holds the retention lease. @throws Error after 90 s. */
async function passInTurn(
  retention: Retention,
  options: Parameters<Retention['pass']>[0],
): Promise<RetentionTally> {
  for (const giveUpAt = Date.now() + WAIT_MS; ; ) {
    const tally = await retention.pass(options);
    if (tally !== undefined) return tally;
    if (Date.now() > giveUpAt) {
      throw new Error(
        'another process (a maintenance worker or this command) is already deleting expired data',
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function sumOf(one: RetentionTally, other: RetentionTally): RetentionTally {
  const kinds = Object.keys(one) as RetentionKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, one[kind] + other[kind]])) as RetentionTally;
}

/** Returns a function that prints progress on standard error, at most every 2 s. */
function createProgress({ stderr }: CliIo): (tally: RetentionTally) => void {
  let saidAt = Date.now();
  return (tally) => {
    if (Date.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = Date.now();
    stderr.write(`deleted so far: ${inWords(tally)}\n`);
  };
}

function summary(tally: RetentionTally, dryRun: boolean): string {
  if (countedKinds(tally).length === 0) return 'No expired data.';
  return dryRun
    ? `Expired: ${inWords(tally)}. Data used only by these rows would also be deleted.`
    : `Deleted: ${inWords(tally)}.`;
}

function inWords(tally: RetentionTally): string {
  return countedKinds(tally)
    .map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${count}`)
    .join(', ');
}
