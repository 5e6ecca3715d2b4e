/** A time until which an entry is off the list. */
export interface SnoozeTime {
  /** In a menu: `Until tomorrow morning`. */
  name: string;
  until: Date;
}

const HOUR_MS = 60 * 60_000;
const MORNING_HOUR = 8;
const DAYS = 7;

/** Returns the times until which an entry can be snoozed; `now` in milliseconds, mornings in the zone of the person. */
export function snoozeTimes(now: number): SnoozeTime[] {
  return [
    { name: 'For 1 hour', until: new Date(now + HOUR_MS) },
    { name: 'Until tomorrow morning', until: morningAfter(now, 1) },
    { name: 'For a week', until: morningAfter(now, DAYS) },
  ];
}

function morningAfter(now: number, days: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(MORNING_HOUR, 0, 0, 0);
  return at;
}
