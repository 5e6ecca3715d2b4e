import { isLockConflict } from '../../../platform/mysql/db-errors.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { queueNotices } from '../outbox/notice-store.js';
import { noticesFor } from '../outbox/recipients.js';
import type { NotifierDeps } from './failure-notifier.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { Notice } from '../outbox/notice.js';
import { aboutStory, type NotifiedStory } from './notify-story.js';
import { claimSkips, findUnnotifiedSkips, type UnnotifiedSkip } from './skip-store.js';

const REASONS = {
  late: 'no process was running',
  quota: 'the daily run quota was used up',
};

const BATCH = 200;
const MOST_SCHEDULES = 20;
const PAUSE_MS = 60_000;

/**
 * Creates the finder of schedules that left out starts, to notify recipients of monitored stories: once a day for a schedule,
 * however many starts it leaves out. `tick` reports one batch and returns its size. Any number of processes may run it.
 */
export function createSkipNotifier(deps: NotifierDeps) {
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const skips = await deps.database.read((session) => findUnnotifiedSkips(BATCH, session));
    for (const id of new Set(skips.map(({ story }) => story.id))) {
      if (signal?.aborted === true) break;
      const ofStory = skips.filter(({ story }) => story.id === id);
      await notify(ofStory, deps);
    }
    return skips.length;
  };
  return repeated({
    tick,
    pauseAfter: (skips: number) => (skips === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_MS,
    failure: 'could not send notices of skipped starts',
    logger: deps.logger,
  });
}

/** The claim and the outbox are one transaction. After a conflict they stay due. */
async function notify(skips: readonly UnnotifiedSkip[], { database, baseUrl }: NotifierDeps): Promise<void> {
  const story = skips[0]?.story;
  if (story === undefined) return;
  const notice = skipNotice(story, skips.slice(0, MOST_SCHEDULES), baseUrl);
  try {
    await database.transaction(async (session) => {
      const claimed = await claimSkips(
        skips.map(({ id }) => id),
        session,
      );
      if (claimed === 0) return;
      const { id: storyId, tenantId, teamId } = story;
      await queueNotices(noticesFor(story.recipients, { tenantId, teamId, storyId, notice }), session);
    });
  } catch (error) {
    if (!isLockConflict(error)) throw error;
  }
}

/** Returns the notice that tells of starts that schedules of a story left out. */
function skipNotice(story: NotifiedStory, skips: readonly UnnotifiedSkip[], baseUrl: string): Notice {
  return {
    ...aboutStory(story, { subject: `Skipped starts in ${story.name}`, details: 'schedules', baseUrl }),
    kind: 'skipped',
    title: `Schedules of the story "${story.name}" skipped these starts. They will not run later:`,
    lines: skips.map(
      ({ agentName, from, until, reason }) =>
        `- ${agentName}: from ${timestamp(from)} to ${timestamp(until)}, because ${REASONS[reason]}`,
    ),
    actions: skips.map(({ agentId, agentName, from, until, reason }) => ({
      id: agentId,
      name: agentName,
      kind: 'skipped',
      count: 0,
      error: REASONS[reason],
      first_at: timestamp(from),
      last_at: timestamp(until),
    })),
  };
}
