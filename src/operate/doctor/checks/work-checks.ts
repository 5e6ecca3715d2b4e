import {
  LAG_KINDS,
  lagReasons,
  PROCESS_KINDS,
  processReasons,
  QUEUE_KINDS,
  queueReasons,
} from '../../monitoring/reasons/work-reasons.js';
import { productVersion } from '../../../platform/outbound/product-version.js';
import type { Check, StoreContext } from '../check.js';
import { findingIf, type FindingKind, toFindings } from '../finding.js';
import { scheduleLagSeconds } from '../../../stories/face.js';
import { overdueSeconds } from '../../../engine/face.js';
import { countDeadLetters } from '../facts/work-facts-store.js';

const RUNNING: FindingKind = {
  id: 'work.running-long',
  severity: 'warning',
  why: 'Actions stop after ACTION_DEADLINE_SECONDS. An older job belongs to a process that died or hangs.',
  remedy: 'Check the worker logs. Jobs of a dead process move to another within a minute.',
};
const DEAD_LETTERS: FindingKind = {
  id: 'work.dead-letters',
  severity: 'note',
  why: 'Dead letters are deleted after DEAD_LETTER_RETENTION_DAYS.',
  remedy: 'Review them with "fabula dead-letters list", then retry or drop them.',
};
/** A job ends a little after the deadline of its action. */
const AFTER_DEADLINE_MS = 60_000;
const MOST_COUNTED = 10_000;

/** Waiting jobs, running jobs and workers of each queue. */
export const queueCheck: Check<StoreContext> = {
  name: 'queues',
  needs: ['redis'],
  kinds: [...QUEUE_KINDS, RUNNING],
  async run({ queueFacts, config }) {
    const limitMs = config.actionDeadlineSeconds * 1000 + AFTER_DEADLINE_MS;
    const facts = await queueFacts();
    return [
      ...toFindings(queueReasons(facts)),
      ...facts.flatMap(({ queue, runningMs }) => {
        const old = runningMs.filter((ms) => ms > limitMs);
        const found = `${queue}: ${old.length} jobs have been running for up to ${seconds(Math.max(...old))} s.`;
        return findingIf(old.length > 0, RUNNING, found);
      }),
    ];
  },
};

const seconds = (ms: number) => Math.round(ms / 1000);

/** Whether relay and scheduler take up what is due. */
export const lagCheck: Check<StoreContext> = {
  name: 'due work',
  needs: ['database'],
  kinds: LAG_KINDS,
  async run({ database }) {
    const [relay, schedules] = await Promise.all([
      database.read(overdueSeconds),
      database.read(scheduleLagSeconds),
    ]);
    return toFindings(lagReasons(relay, schedules));
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

/** Which processes give no sign, and how the others differ from each other and from this one. */
export const processCheck: Check<StoreContext> = {
  name: 'processes',
  needs: ['redis'],
  kinds: PROCESS_KINDS,
  async run({ processes }) {
    const found = await processes();
    return toFindings(processReasons(found, productVersion()));
  },
};
