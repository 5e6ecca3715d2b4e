import { hasEntries } from '../../../text/exact-json.js';

/** A time at which an action starts runs, in the form that fields can change. */
export interface ScheduleEntry {
  cron: string;
  timezone?: string | null;
}

/** The most schedules that one action has. */
export const MOST_SCHEDULES = 20;

/** Returns the schedules of an action, one by one, as they are stored: objects, and words such as `every_1d`. */
export function entriesOf(schedule: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(schedule) ? schedule : [schedule];
  return list.filter((each) => !isNone(each));
}

const isNone = (entry: unknown) => entry === null || entry === undefined || entry === '' || entry === 'never';

/** Whether fields can change a schedule; a word is only shown. */
export function isEntry(entry: unknown): entry is ScheduleEntry {
  return hasEntries(entry) && 'cron' in entry && typeof entry.cron === 'string';
}
