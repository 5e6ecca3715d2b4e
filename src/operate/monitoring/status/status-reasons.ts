import { productVersion } from '../../../platform/outbound/product-version.js';
import { keyReasons } from '../reasons/key-reasons.js';
import { credentialReasons } from '../reasons/credential-reasons.js';
import { earliestOf, type Reason, reasonIf, type ReasonKind } from '../reasons/reason.js';
import { DATABASE_AWAY, REDIS_AWAY } from '../reasons/store-reasons.js';
import { lagReasons, processReasons, queueReasons } from '../reasons/work-reasons.js';
import type { InstallationStatus } from './installation-status.js';
import { MOST_SCHEDULES, type TeamStatus } from './team-status.js';

/** `error`: something does not work. `warning`: something needs a look. */
export const STATES = ['ok', 'warning', 'error'] as const;
export type State = (typeof STATES)[number];

const SPOOL_FILLS: ReasonKind = {
  id: 'spool.filling',
  severity: 'warning',
  why: 'While MySQL is unreachable and the spool is full, webhook requests get 503.',
  remedy: 'Restore MySQL so that the spool drains, or raise SPOOL_MAX_BYTES or the memory of Redis.',
};
const UNREADABLE: ReasonKind = {
  id: 'stories.unreadable',
  severity: 'error',
  why: 'The database did not respond in time, so failing stories are unknown.',
  remedy: 'Check the log of this process for the reason, and run "fabula doctor".',
};
const DEAD_LETTERS: ReasonKind = {
  id: 'stories.dead-letters',
  severity: 'warning',
  why: 'Deliveries of these stories failed permanently. Retry or drop them.',
  remedy: 'Review the dead letters of the story, fix the cause, and retry them.',
};
const SILENT_ACTIONS: ReasonKind = {
  id: 'stories.silent-actions',
  severity: 'warning',
  why: 'The actions have emitted no events for longer than their monitoring threshold.',
  remedy: 'Check that the callers of the story still send requests.',
};
const SKIPPED: ReasonKind = {
  id: 'stories.skipped-schedules',
  severity: 'warning',
  why: 'No process ran at the time of these starts, or the daily run quota was used up. Skipped starts are not run later.',
  remedy: 'Find them in the list of schedules (last_skip), and start any still needed manually.',
};
const NOTICES: ReasonKind = {
  id: 'stories.notices-failed',
  severity: 'warning',
  why: 'Recipients did not get these notices.',
  remedy: 'Check the reason shown with the notice, and correct the address or the mail server.',
};

/** Returns what is not well with stores, queues and processes. A queue without jobs may lack a worker for a moment. */
export function installationReasons(found: InstallationStatus): Reason[] {
  const { mysqlMs, redisMs, relayLagSeconds, scheduleLagSeconds, queues, processes, spool, foreignKey } =
    found;
  const busy = (queues ?? []).filter(({ waiting, paused }) => waiting > 0 || paused !== null);
  return [
    ...reasonIf(mysqlMs === null, DATABASE_AWAY, 'MySQL is unreachable.'),
    ...reasonIf(redisMs === null, REDIS_AWAY, 'Redis is unreachable.'),
    ...lagReasons(relayLagSeconds, scheduleLagSeconds),
    ...queueReasons(busy),
    ...(processes === null ? [] : processReasons(processes, productVersion())),
    ...keyReasons(foreignKey ?? undefined),
    ...reasonIf(isSpoolFilling(spool), SPOOL_FILLS, 'The spool is more than half full.'),
  ];
}

function isSpoolFilling(spool: InstallationStatus['spool']): boolean {
  return spool !== null && spool.heldBytes * 2 > spool.limitBytes;
}

/** Returns what is not well with the stories of teams; null: it could not be read. */
export function teamReasons(found: TeamStatus | null): Reason[] {
  if (found === null) return reasonIf(true, UNREADABLE, 'The stories could not be read.');
  const { failing, silent, notices, skipping, unconnected } = found;
  const failed = notices.filter(({ state }) => state === 'failed');
  return [
    ...reasonIf(
      failing.length > 0,
      DEAD_LETTERS,
      failing.length === 1 ? '1 story has dead letters.' : `${failing.length} stories have dead letters.`,
      earliestOf(failing.map(({ since }) => since)),
    ),
    ...reasonIf(
      silent.length > 0,
      SILENT_ACTIONS,
      silent.length === 1
        ? '1 monitored action is silent.'
        : `${silent.length} monitored actions are silent.`,
      earliestOf(silent.map(({ since }) => since)),
    ),
    ...reasonIf(
      skipping.length > 0,
      SKIPPED,
      skippedText(skipping.length),
      earliestOf(skipping.map(({ from }) => from)),
    ),
    ...credentialReasons(unconnected),
    ...reasonIf(
      failed.length > 0,
      NOTICES,
      `${failed.length} of the last notices could not be sent.`,
      earliestOf(failed.map(({ createdAt }) => createdAt)),
    ),
  ];
}

function skippedText(count: number): string {
  const least = count === MOST_SCHEDULES ? 'at least ' : '';
  const schedules = count === 1 ? '1 schedule has' : `${least}${count} schedules have`;
  return `${schedules} skipped starts within the last day.`;
}

/** Returns the worst state of the reasons. */
export function stateOf(reasons: readonly Reason[]): State {
  if (reasons.some(({ severity }) => severity === 'error')) return 'error';
  return reasons.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok';
}
