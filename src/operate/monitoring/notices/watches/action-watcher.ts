import { repeated } from '../../../../platform/runtime/background-loop.js';
import {
  countUnnotifiedEvents,
  keepWatches,
  markWatchesNotified,
  readWatches,
} from './action-watch-store.js';
import { forgetOldClaims } from '../claim-store.js';
import type { NotifierDeps } from '../failure-notifier.js';
import { notifyStory } from '../notify-story.js';
import { findingsOf, type WatchFinding } from './watch-finding.js';
import { MOST_EVENTS, watchNotice } from './watch-notice.js';
import {
  type AgentPage,
  findWatchedActions,
  nextAgentPage,
  type WatchedStory,
} from './watched-action-store.js';

const TABLE = 'story_watch_notices';
const AGENTS = 1_000;
const MOST_ACTIONS = 20;
const OLD_ROWS = 1_000;
const PAUSE_MS = 60_000;

/**
 * Creates the finder of what is to tell about actions with `monitor_no_events_emitted` or `monitor_all_events`, to the
 * recipients of their story (spec §3.5). `tick` looks at the last event of each such action once, so events cost nothing. Any
 * number of processes may run it.
 */
export function createActionWatcher(deps: NotifierDeps) {
  const { database, logger } = deps;
  return repeated({
    async tick(signal = new AbortController().signal): Promise<void> {
      let afterId = 0;
      while (!signal.aborted) {
        const page = await database.read((session) => nextAgentPage(session, { afterId, limit: AGENTS }));
        if (page === undefined) break;
        await lookAt(page, deps, signal);
        afterId = page.lastId;
      }
      await database.read((session) => forgetOldClaims(TABLE, OLD_ROWS, session));
    },
    pauseAfter: () => PAUSE_MS,
    restAfterErrorMs: PAUSE_MS,
    failure: 'could not check monitored actions',
    logger,
  });
}

async function lookAt(page: AgentPage, deps: NotifierDeps, signal: AbortSignal): Promise<void> {
  const { actions, watches } = await deps.database.read(async (session) => {
    const found = await findWatchedActions(session, page);
    await keepWatches(
      session,
      page,
      found.map(({ agentId }) => agentId),
    );
    return { actions: found, watches: await readWatches(session, page) };
  });
  for (const [story, findings] of findingsOf(actions, watches)) {
    if (signal.aborted) return;
    await notify(story, findings.slice(0, MOST_ACTIONS), deps);
  }
}

/** Reports the findings, and marks them as notified. */
function notify(
  story: WatchedStory,
  findings: readonly WatchFinding[],
  { database, baseUrl }: NotifierDeps,
): Promise<void> {
  const watchesOf = (of: 'isSilent' | 'hasEmitted') =>
    findings.filter((finding) => finding[of]).map(({ watch }) => watch);
  const emitted = watchesOf('hasEmitted');
  return notifyStory(database, { story, table: TABLE }, async (session) => {
    const events = await countUnnotifiedEvents(session, emitted, MOST_EVENTS);
    await markWatchesNotified(session, { silent: watchesOf('isSilent'), emitted });
    return watchNotice({ story, findings, events, baseUrl });
  });
}
