import { randomUUID } from 'node:crypto';
import type { TenantMailers } from '../../../mails/tenant-mailers.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { loopUntil } from '../../../platform/runtime/background-loop.js';
import { readSettings } from '../../../stories/settings/story-settings.js';
import { failureMail } from './failure-mail.js';
import {
  claimNotice,
  findFailedActions,
  findUntoldStories,
  forgetOldNotices,
  markTold,
  retrySoon,
  type UntoldStory,
} from './notice-store.js';

export interface FailureNotifierDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  mailers: Pick<TenantMailers, 'of'>;
  /** Prefix of the address in a mail, without a trailing slash. */
  baseUrl: string;
  logger: Logger;
}

const BATCH = 20;
const MOST_ACTIONS = 20;
const MOST_RECIPIENTS = 100;
const OLD_ROWS = 1_000;
const PAUSE_MS = 30_000;
const PAUSE_AFTER_ERROR_MS = 60_000;

export type FailureNotifier = ReturnType<typeof createFailureNotifier>;

/**
 * Creates the sender of mails about dead letters, for stories with recipients that have `monitor_failures`, or an action
 * that has it (spec §3.10). It
 * looks at the dead letters, so work that succeeds costs nothing. Any number of processes may run it.
 */
export function createFailureNotifier(deps: FailureNotifierDeps) {
  const { database, logger } = deps;
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const stories = await database.read((session) => findUntoldStories(BATCH, session));
    for (const story of stories) {
      if (signal?.aborted === true) return stories.length;
      if (await database.transaction((session) => claimNotice(story.storyId, session))) {
        await tell(story, deps, signal);
      }
    }
    await database.read((session) => forgetOldNotices(OLD_ROWS, session));
    return stories.length;
  };
  return {
    /** Tells of the failures of one batch of stories. Returns their number. */
    tick,
    /** Looks for failures until `until` is aborted. */
    run: (until: AbortSignal): Promise<void> =>
      loopUntil(until, {
        pass: async (signal) => ((await tick(signal)) === BATCH ? 0 : PAUSE_MS),
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'failures of stories could not be told',
        logger,
      }),
  };
}

/** Sends the mail; if that fails, it is tried again in a minute. */
async function tell(
  { storyId, tenantId, name, settings }: UntoldStory,
  { database, mailers, baseUrl, logger }: FailureNotifierDeps,
  signal: AbortSignal | undefined,
): Promise<void> {
  const actions = await database.read((session) => findFailedActions(storyId, MOST_ACTIONS, session));
  const mail = failureMail({
    messageId: `<failures-${randomUUID()}@fabula>`,
    recipients: readSettings(settings).recipients.slice(0, MOST_RECIPIENTS),
    story: { id: storyId, name },
    actions,
    baseUrl,
  });
  try {
    if (actions.length > 0) await mailers.of(tenantId, () => undefined).send(mail, signal);
  } catch (error) {
    logger.warn('recipients of a story were not told of failures', {
      story_id: storyId,
      error: messageOf(error),
    });
    return database.read((session) => retrySoon(storyId, session));
  }
  await database.read((session) => markTold(storyId, session));
}
