import type { Problem } from '../../platform/errors.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { StoryExport } from '../export/export-form.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import { partPath } from '../import/plan/place.js';
import { parseSchedule } from './parse-schedule.js';
import { problemsOfScheduleAt, scheduleKindProblems } from './schedule-kind.js';

/** For one import, embedded stories included: the next time of each is calculated when it is written. */
const MAX_IN_IMPORT = 500;

/** Returns the faults of this story's schedules, including too many of them; `place` is the prefix of the paths. */
export function checkSchedules(story: Usable<StoryExport>, place: string): Problem[] {
  const wrongKinds = (story.agents ?? []).flatMap((agent, index) =>
    problemsOfScheduleAt(partPath(place, `agents[${index}].schedule`), scheduleKindProblems(agent?.schedule)),
  );
  const count = countSchedules(story);
  if (count <= MAX_IN_IMPORT) return wrongKinds;
  const what = place === '' ? 'The story' : `"${place}"`;
  const message = `${what} has ${count} schedules, embedded stories included; it may have ${MAX_IN_IMPORT}`;
  return [...wrongKinds, { message, ...(place !== '' && { details: place }) }];
}

/** Returns warnings about imported schedules that start nothing. */
export function scheduleWarnings({ name: story, agents }: StoryExport): string[] {
  return agents.flatMap(({ type, name, schedule }) => {
    const { schedules, problems } = parseSchedule(schedule);
    if (type === WEBHOOK_TYPE) {
      if (schedules.length === 0 && problems.length === 0) return [];
      return [
        `"${name}" of "${story}" is a webhook, which is started by requests: its schedule was stored but has no effect`,
      ];
    }
    return problemsOfScheduleAt('schedule', problems).map(
      ({ message }) => `"${name}" of "${story}": ${message}; it was stored but has no effect`,
    );
  });
}

function countSchedules(story: Usable<StoryExport>): number {
  const own = (story.agents ?? []).map((agent) => sizeOf(agent?.schedule));
  const embedded = (story.send_to_stories ?? []) as Usable<StoryExport[]>;
  const inside = embedded.map((each) => (each === undefined ? 0 : countSchedules(each)));
  return [...own, ...inside].reduce((sum, count) => sum + count, 0);
}

function sizeOf(schedule: unknown): number {
  if (Array.isArray(schedule)) return schedule.length;
  return schedule === undefined || schedule === null || schedule === 'never' ? 0 : 1;
}
