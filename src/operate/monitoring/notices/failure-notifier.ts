import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { forgetOldClaims } from './claim-store.js';
import { findAnsweringOwners } from '../../../stories/face.js';
import { failureNotice } from './failure-notice.js';
import { findFailedActions, findUnnotifiedStories, markNotified } from './failure-store.js';
import { notifyStory } from './notify-story.js';

export interface NotifierDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Prefix of the addresses in a notice, without a trailing slash. */
  baseUrl: string;
  /** The address of the console, with a trailing slash; absent: it is not known. */
  consoleUrl?: string | undefined;
  logger: Logger;
}

const TABLE = 'story_failure_notices';
const BATCH = 20;
const MOST_ACTIONS = 20;
const OLD_ROWS = 1_000;
const PAUSE_MS = 30_000;
const PAUSE_AFTER_ERROR_MS = 60_000;

/**
 * Creates the finder of dead letters to report, for stories with recipients that have `monitor_failures`, or an action that
 * has it (spec §3.10). It looks at the dead letters, so work that succeeds costs nothing. `tick` reports one batch of
 * stories and returns their number. Any number of processes may run it.
 */
export function createFailureNotifier({ database, baseUrl, consoleUrl, logger }: NotifierDeps) {
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const stories = await database.read((session) => findUnnotifiedStories(BATCH, session));
    for (const story of stories) {
      if (signal?.aborted === true) return stories.length;
      await notifyStory(database, { story, table: TABLE }, async (session) => {
        const actions = await findFailedActions(story.id, MOST_ACTIONS, session);
        await markNotified(story.id, session);
        if (actions.length === 0) return undefined;
        const ownerName = (await findAnsweringOwners([story.id], session)).get(story.id)?.name;
        return failureNotice({ story, actions, ownerName, baseUrl, consoleUrl });
      });
    }
    await database.read((session) => forgetOldClaims(TABLE, OLD_ROWS, session));
    return stories.length;
  };
  return repeated({
    tick,
    pauseAfter: (stories: number) => (stories === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'could not send failure notices',
    logger,
  });
}
