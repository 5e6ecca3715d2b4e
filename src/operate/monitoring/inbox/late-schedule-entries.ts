import type { TroubledSchedule } from '../../../stories/face.js';
import { entryOf, type InboxEntry } from './inbox-entry.js';

/** Returns an entry for each schedule that is late, or has left out starts. */
export function scheduleEntries(schedules: readonly TroubledSchedule[]): InboxEntry[] {
  return schedules.map((schedule) => {
    const { id, agentId, agentName, storyId, storyName, teamId, nextAt, skip } = schedule;
    const reason = skip === undefined ? 'late' : `skipped_${skip.reason}`;
    return entryOf({
      key: `schedule-${id}-${reason}`,
      kind: 'schedule',
      reason,
      severity: skip === undefined ? 'error' : 'warning',
      title:
        skip === undefined
          ? `The schedule of ${agentName} is late`
          : `The schedule of ${agentName} skipped starts`,
      detail:
        skip === undefined
          ? 'No process starts schedules.'
          : skip.reason === 'quota'
            ? 'The daily run quota was used up.'
            : 'No process was running at that time.',
      teamId,
      story: { id: storyId, name: storyName },
      action: { id: agentId, name: agentName },
      scheduleId: id,
      count: 1,
      firstSeen: skip?.from ?? nextAt,
      lastSeen: skip?.until ?? null,
    });
  });
}
