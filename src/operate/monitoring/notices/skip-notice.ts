import { timestamp } from '../../../platform/time/timestamp.js';
import type { Notice } from '../outbox/notice.js';
import type { UnnotifiedSkip } from './skip-store.js';
import { aboutStory, type NotifiedStory } from './notify-story.js';

const REASONS = {
  late: 'no process was running',
  quota: 'the daily run quota was used up',
};

/** Returns the notice that tells of starts that schedules of a story left out. */
export function skipNotice(story: NotifiedStory, skips: readonly UnnotifiedSkip[], baseUrl: string): Notice {
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
