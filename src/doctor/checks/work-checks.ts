import { readProcessParts, readProcessVersions } from '../../engine/dispatch/live-processes.js';
import { productVersion } from '../../platform/outbound/product-version.js';
import type { Check, StoreContext } from '../check.js';
import { finding, findingIf, type FindingKind } from '../finding.js';
import type { QueueFacts } from '../queue-facts.js';
import { countDeadLetters, readRelayLag } from '../work-facts-store.js';

const NO_WORKER: FindingKind = {
  id: 'work.no-worker',
  severity: 'error',
  why: 'Jobs of a queue without a worker wait for ever.',
  remedy: 'Start the "worker" process, or the process that is named like the queue (see the Procfile).',
};
const WAITING: FindingKind = {
  id: 'work.waiting',
  severity: 'warning',
  why: 'Jobs wait longer than they should: the workers are too few, too slow, or stuck.',
  remedy: 'Start more processes of this queue; see the queue board for what they work on.',
};
const RUNNING: FindingKind = {
  id: 'work.running-long',
  severity: 'warning',
  why: 'An action ends after ACTION_DEADLINE_SECONDS. A job that is older belongs to a process that died or hangs.',
  remedy: 'See the log of the workers. A dead process loses its jobs to another within a minute.',
};
const PAUSED: FindingKind = {
  id: 'work.paused',
  severity: 'note',
  why: 'Workers take no jobs of a queue that was paused on the board.',
  remedy: 'Resume the queue on the board when the reason for the pause is over.',
};
const RELAY: FindingKind = {
  id: 'work.relay-lag',
  severity: 'error',
  why: 'Retries, delays and lost jobs are not taken up: no maintenance process works.',
  remedy: 'Start the "maintenance" process (or "worker"), and see its log.',
};
const DEAD_LETTERS: FindingKind = {
  id: 'work.dead-letters',
  severity: 'note',
  why: 'Deliveries that failed for good are kept for DEAD_LETTER_RETENTION_DAYS, then deleted.',
  remedy: 'Look at them with "fabula dead-letters list"; retry or drop them.',
};
const VERSIONS: FindingKind = {
  id: 'work.versions',
  severity: 'warning',
  why: 'Processes of several versions are meant to run together during a roll-out only.',
  remedy: 'Finish the roll-out: restart the processes of the older version.',
};
const QUEUE_PARTS: FindingKind = {
  id: 'work.queue-parts',
  severity: 'warning',
  why: 'While numbers differ, workers run more jobs at once than they should, and an emptied Redis may have a request sent twice.',
  remedy: 'Give all processes the same QUEUE_PARTS, and restart the workers first.',
};

const LONG_WAIT_MS = 60_000;
const LONG_LAG_SECONDS = 60;
/** A job ends a little after the deadline of its action. */
const AFTER_DEADLINE_MS = 60_000;
const MOST_COUNTED = 10_000;

/** Waiting jobs, running jobs and workers of each queue. */
export const queueCheck: Check<StoreContext> = {
  name: 'queues',
  needs: ['redis'],
  kinds: [NO_WORKER, WAITING, RUNNING, PAUSED],
  async run({ queueFacts, config }) {
    const limitMs = config.actionDeadlineSeconds * 1000 + AFTER_DEADLINE_MS;
    const facts = await queueFacts();
    const idle = facts.filter(({ workers }) => workers === 0);
    const paused = facts.filter(({ isPaused }) => isPaused);
    return [
      ...findingIf(idle.length > 0, NO_WORKER, `No worker takes jobs of ${idle.map(described).join(', ')}.`),
      ...facts.filter(waitsLong).map((each) => finding(WAITING, waitOf(each))),
      ...facts.flatMap(({ queue, runningMs }) => {
        const old = runningMs.filter((ms) => ms > limitMs);
        const found = `${queue}: ${old.length} jobs run since ${seconds(Math.max(...old))} s or less.`;
        return findingIf(old.length > 0, RUNNING, found);
      }),
      ...findingIf(paused.length > 0, PAUSED, `Paused: ${paused.map(({ queue }) => queue).join(', ')}.`),
    ];
  },
};

const seconds = (ms: number) => Math.round(ms / 1000);
const described = ({ queue, waiting }: QueueFacts) => (waiting === 0 ? queue : `${queue} (${waiting} wait)`);
const waitsLong = ({ isPaused, oldestWaitMs }: QueueFacts) => !isPaused && oldestWaitMs > LONG_WAIT_MS;
const waitOf = ({ queue, waiting, oldestWaitMs }: QueueFacts) =>
  `${queue}: ${waiting} jobs wait, the oldest for ${seconds(oldestWaitMs)} s.`;

/** Whether the relay takes up what is due. */
export const relayCheck: Check<StoreContext> = {
  name: 'relay',
  needs: ['database'],
  kinds: [RELAY],
  async run({ database }) {
    const lag = await database.read(readRelayLag);
    return findingIf(lag > LONG_LAG_SECONDS, RELAY, `The oldest due delivery has waited for ${lag} s.`);
  },
};

/** Deliveries that failed for good. */
export const deadLetterCheck: Check<StoreContext> = {
  name: 'dead letters',
  needs: ['database'],
  kinds: [DEAD_LETTERS],
  async run({ database }) {
    const count = await database.read((session) => countDeadLetters(session, MOST_COUNTED));
    const figure = count === MOST_COUNTED ? `${count} or more` : String(count);
    return findingIf(count > 0, DEAD_LETTERS, `There are ${figure} dead letters.`);
  },
};

/** The versions of the live processes, and of this one. */
export const versionsCheck: Check<StoreContext> = {
  name: 'versions of processes',
  needs: ['redis'],
  kinds: [VERSIONS],
  async run({ redis, config }) {
    const versions = await readProcessVersions(redis, config.queuePrefix);
    const others = [...versions.keys()].some((version) => version !== productVersion());
    const told = [...versions].map(([version, count]) => `${count} of ${version}`).join(', ');
    return findingIf(others, VERSIONS, `Processes that run: ${told}; this program is ${productVersion()}.`);
  },
};

/** The numbers of parts with which the live processes run. */
export const queuePartsCheck: Check<StoreContext> = {
  name: 'parts of queues',
  needs: ['redis'],
  kinds: [QUEUE_PARTS],
  async run({ redis, config }) {
    const settings = [...(await readProcessParts(redis, config.queuePrefix))];
    const told = settings.map(([parts, count]) => `${count} with ${parts === '' ? 'one part each' : parts}`);
    return findingIf(
      settings.length > 1,
      QUEUE_PARTS,
      `Processes differ in QUEUE_PARTS: ${told.join('; ')}.`,
    );
  },
};
