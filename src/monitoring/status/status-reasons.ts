import type { InstallationStatus, QueueStatus } from './installation-status.js';
import type { TeamStatus } from './team-status.js';

/** `error`: something does not work. `warning`: something needs a look. */
export const STATES = ['ok', 'warning', 'error'] as const;
export type State = (typeof STATES)[number];

/** A reason why the state is not `ok`. */
export interface Reason {
  state: Exclude<State, 'ok'>;
  text: string;
}

const LONG_SECONDS = 60;
const LONG_MS = LONG_SECONDS * 1000;

/** Returns what is not well with stores, queues and processes. */
export function installationReasons(found: InstallationStatus): Reason[] {
  const { mysqlMs, redisMs, relayLagSeconds, scheduleLagSeconds, queues, versions, spool } = found;
  return [
    ...reason(mysqlMs === null, 'error', 'MySQL does not answer'),
    ...reason(redisMs === null, 'error', 'Redis does not answer'),
    ...reason((relayLagSeconds ?? 0) > LONG_SECONDS, 'error', 'Due deliveries wait for the relay'),
    ...reason((scheduleLagSeconds ?? 0) > LONG_SECONDS, 'error', 'Due schedules wait for the scheduler'),
    ...(queues ?? []).flatMap(queueReasons),
    ...reason((versions?.size ?? 0) > 1, 'warning', 'Processes of several versions run'),
    ...reason(isSpoolFilling(spool), 'warning', 'The spool is more than half full'),
  ];
}

function queueReasons({ queue, waiting, oldestMs, workers }: QueueStatus): Reason[] {
  return [
    ...reason(workers === 0 && waiting > 0, 'error', `No worker takes jobs of ${queue}`),
    ...reason(workers !== 0 && oldestMs > LONG_MS, 'warning', `Jobs of ${queue} wait long`),
  ];
}

function isSpoolFilling(spool: InstallationStatus['spool']): boolean {
  return spool !== null && spool.heldBytes * 2 > spool.limitBytes;
}

/** Returns what is not well with the stories of teams; null: it could not be read. */
export function teamReasons(found: TeamStatus | null): Reason[] {
  if (found === null) return [{ state: 'error', text: 'The stories could not be read' }];
  const { failing, silent, notices } = found;
  const failed = notices.filter(({ state }) => state === 'failed').length;
  return [
    ...reason(
      failing.length > 0,
      'warning',
      failing.length === 1 ? '1 story has dead letters' : `${failing.length} stories have dead letters`,
    ),
    ...reason(silent.length > 0, 'warning', `${silent.length} monitored actions are silent`),
    ...reason(failed > 0, 'warning', `${failed} of the last notices could not be sent`),
  ];
}

/** Returns the worst state of the reasons. */
export function stateOf(reasons: readonly Reason[]): State {
  if (reasons.some(({ state }) => state === 'error')) return 'error';
  return reasons.length > 0 ? 'warning' : 'ok';
}

function reason(isSo: boolean, state: Reason['state'], text: string): Reason[] {
  return isSo ? [{ state, text }] : [];
}
