import { isLockConflict } from '../../../platform/mysql/db-errors.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { findFreshness } from '../../../observe/face.js';
import type { NotifierDeps } from '../notices/failure-notifier.js';
import { queueNotices } from '../outbox/notice-store.js';
import { noticesFor } from '../outbox/recipients.js';
import { readDigestFacts } from './digest-facts.js';
import { digestNotice } from './digest-notice.js';
import { deleteDigest, type DueDigest, findDueDigests, moveDigest } from './digest-store.js';
import { dayBefore, nextDigestTime } from './digest-times.js';

const BATCH = 20;
const PAUSE_MS = 60_000;
/** A digest waits for its day to be counted, but not longer. */
const PATIENCE_MS = 3_600_000;

/**
 * Creates the maker of daily digests (spec §2.6). `tick` makes those of one batch that are due and returns their number. The
 * move to the next time and the notice are one transaction, and one process can make the move, so there is one digest
 * for each time. After an outage one digest follows, about the day before.
 */
export function createDigestMaker(deps: NotifierDeps) {
  const { database, logger } = deps;
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const due = await database.read((session) => findDueDigests(BATCH, session));
    let made = 0;
    for (const digest of due) {
      if (signal?.aborted === true) break;
      if (await make(digest, deps)) made += 1;
    }
    return made;
  };
  return repeated({
    tick,
    pauseAfter: (made: number) => (made === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_MS,
    failure: 'could not create digests',
    logger,
  });
}

/** Returns true if the digest was made by this process. */
async function make(digest: DueDigest, { database, baseUrl }: NotifierDeps): Promise<boolean> {
  const { teamId, tenantId, teamName, timezone, recipients, nextAt, now } = digest;
  if (teamName === null) {
    await database.read((session) => deleteDigest(teamId, session));
    return false;
  }
  const day = dayBefore(timezone, now);
  const { countedUntil } = await database.read(findFreshness);
  if (countedUntil < day.to && now.getTime() - nextAt.getTime() < PATIENCE_MS) return false;
  const facts = await database.read((session) => readDigestFacts(session, { tenantId, teamId }, day));
  const notice = digestNotice(facts, { team: { id: teamId, name: teamName }, day: day.name, baseUrl });
  try {
    return await database.transaction(async (session) => {
      if (!(await moveDigest(digest, nextDigestTime(digest, now), session))) return false;
      await queueNotices(noticesFor(recipients, { tenantId, teamId, storyId: null, notice }), session);
      return true;
    });
  } catch (error) {
    if (!isLockConflict(error)) throw error;
    return false;
  }
}
