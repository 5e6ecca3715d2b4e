import { counted } from '../../../platform/text/counted.js';
import { SPOOL_QUEUE } from '../../../engine/face.js';
import type { Check, StoreContext } from '../check.js';
import { findingIf, type FindingKind } from '../finding.js';

const WAITING: FindingKind = {
  id: 'spool.waiting',
  severity: 'warning',
  why: 'Accepted webhook requests wait in Redis, which holds the only copy. Their runs start once the spool drains.',
  remedy:
    'Check that MySQL is reachable and that the "webhook-events" process (or "worker") is running. Do not flush Redis.',
};
const FULL: FindingKind = {
  id: 'spool.full',
  severity: 'error',
  why: 'While MySQL is unreachable and the spool is full, webhook requests get 503.',
  remedy: 'Restore MySQL so that the spool drains, or raise SPOOL_MAX_BYTES or the memory of Redis.',
};
const FAILED: FindingKind = {
  id: 'spool.failed',
  severity: 'warning',
  why: 'The webhook was deleted or disabled, or it rejected the requests. They are not retried automatically.',
  remedy: 'Read the reasons on the queue board, fix the cause, then retry or delete the jobs there.',
};

/** Part of the limit from which the spool counts as full. */
const MUCH = 0.8;
/** A spool that drains may hold requests for this long. */
const LONG_MS = 5_000;

/** The requests that wait in Redis for MySQL. */
export const spoolCheck: Check<StoreContext> = {
  name: 'spool',
  needs: ['redis'],
  kinds: [WAITING, FULL, FAILED],
  async run({ queueFacts, spoolLevel }) {
    const facts = (await queueFacts()).find(({ queue }) => queue === SPOOL_QUEUE);
    const { heldBytes, limitBytes } = await spoolLevel();
    const { waiting = 0, failed = 0, oldestMs = 0 } = facts ?? {};
    const level = `at most ${heldBytes} of ${limitBytes} bytes`;
    const oldest = `the oldest for ${Math.round(oldestMs / 1000)} s`;
    return [
      ...findingIf(
        oldestMs > LONG_MS,
        WAITING,
        `${counted(waiting, 'request')} waiting, ${oldest}; ${level}.`,
      ),
      ...findingIf(waiting + failed > 0 && heldBytes >= limitBytes * MUCH, FULL, `The spool holds ${level}.`),
      ...findingIf(failed > 0, FAILED, `${counted(failed, 'spooled request')} failed.`),
    ];
  },
};
