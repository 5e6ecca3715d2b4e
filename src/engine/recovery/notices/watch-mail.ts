import type { Mail } from '../../../platform/outbound/mail/mail.js';
import { storyMail } from './story-mail.js';
import type { WatchFinding } from './watch-finding.js';
import type { WatchedStory } from './watched-action-store.js';

/** More events of an action are not counted. */
export const MOST_EVENTS = 1_000;

/** The facts of a mail about watched actions. */
export interface WatchFacts {
  messageId: string;
  story: WatchedStory;
  recipients: readonly string[];
  findings: readonly WatchFinding[];
  /** Number of new events, by agent. */
  events: ReadonlyMap<number, number>;
  /** Prefix of the address in the mail, without a trailing slash. */
  baseUrl: string;
}

/** Returns the mail that tells of silent actions and of new events. */
export function watchMail({ story, findings, events, baseUrl, ...facts }: WatchFacts): Mail {
  const silent = findings.filter(({ isSilent }) => isSilent);
  const emitted = findings.filter(({ hasEmitted }) => hasEmitted);
  const lines = [
    ...silent.map(
      ({ action, watch }) =>
        `- ${action.name}: no event for ${watch.quietSeconds} seconds (monitored: ${action.silentSeconds})`,
    ),
    ...emitted.map(({ action }) => `- ${action.name}: ${countText(events.get(action.agentId) ?? 0)}`),
  ];
  return storyMail({
    ...facts,
    story,
    subject: silent.length > 0 ? `No events in ${story.name}` : `New events in ${story.name}`,
    title: `Monitored actions of the story "${story.name}":`,
    lines,
    address: `${baseUrl}/api/v1/events?story_id=${story.id}`,
  });
}

function countText(events: number): string {
  if (events === 1) return '1 new event';
  return events >= MOST_EVENTS ? `${MOST_EVENTS} new events or more` : `${events} new events`;
}
