import { repeated } from '../../../../platform/runtime/background-loop.js';
import {
  countUnnotifiedEvents,
  keepWatches,
  markWatchesNotified,
  readWatches,
  type UnnotifiedEvents,
} from './action-watch-store.js';
import { forgetOldClaims } from '../claim-store.js';
import type { NotifierDeps } from '../failure-notifier.js';
import { aboutStory, notifyStory } from '../notify-story.js';
import { findingsOf, type WatchFinding } from './watch-finding.js';
import { timestamp } from '../../../../platform/time/timestamp.js';
import type { Notice, NoticeAction } from '../../outbox/notice.js';
import {
  type AgentPage,
  findWatchedActions,
  nextAgentPage,
  type WatchedStory,
} from './watched-action-store.js';

/** More events of an action are not counted. */
const MOST_EVENTS = 1_000;

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

/** The facts of a notice about watched actions. */
interface WatchFacts {
  story: WatchedStory;
  findings: readonly WatchFinding[];
  /** The new events, by agent. */
  events: ReadonlyMap<number, UnnotifiedEvents>;
  /** Prefix of the addresses in it, without a trailing slash. */
  baseUrl: string;
}

/** Returns the notice that tells of silent actions and of new events. */
export function watchNotice({ story, findings, events, baseUrl }: WatchFacts): Notice {
  const silent = findings.filter(({ isSilent }) => isSilent);
  const emitted = findings.filter(({ hasEmitted }) => hasEmitted);
  const countOf = ({ action }: WatchFinding) => events.get(action.agentId)?.events ?? 0;
  const subject = silent.length > 0 ? `No events in ${story.name}` : `New events in ${story.name}`;
  return {
    ...aboutStory(story, { subject, details: 'events', baseUrl }),
    kind: silent.length > 0 ? 'no_events' : 'events',
    title: `Monitored actions of the story "${story.name}":`,
    lines: [
      ...silent.map(
        ({ action, watch }) =>
          `- ${action.name}: no event for ${watch.quietSeconds} seconds (monitored: ${action.silentSeconds})`,
      ),
      ...emitted.map((finding) => `- ${finding.action.name}: ${countText(countOf(finding))}`),
    ],
    actions: [
      ...silent.map((finding) => toAction(finding, { kind: 'no_events', count: 0, first_at: null })),
      ...emitted.map((finding) => {
        const firstAt = events.get(finding.action.agentId)?.firstAt ?? null;
        const first_at = firstAt && timestamp(firstAt);
        return toAction(finding, { kind: 'events', count: countOf(finding), first_at });
      }),
    ],
  };
}

function toAction(
  { action, watch }: WatchFinding,
  told: Pick<NoticeAction, 'kind' | 'count' | 'first_at'>,
): NoticeAction {
  const { agentId: id, name } = action;
  return { id, name, error: null, last_at: timestamp(watch.seenAt), ...told };
}

function countText(events: number): string {
  if (events === 1) return '1 new event';
  return events >= MOST_EVENTS ? `${MOST_EVENTS} new events or more` : `${events} new events`;
}
