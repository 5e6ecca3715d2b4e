import { timestamp } from '../../../../platform/time/timestamp.js';
import type { Notice, NoticeAction } from '../../outbox/notice.js';
import type { UnnotifiedEvents } from './action-watch-store.js';
import { aboutStory } from '../notify-story.js';
import type { WatchFinding } from './watch-finding.js';
import type { WatchedStory } from './watched-action-store.js';

/** More events of an action are not counted. */
export const MOST_EVENTS = 1_000;

/** The facts of a notice about watched actions. */
export interface WatchFacts {
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
