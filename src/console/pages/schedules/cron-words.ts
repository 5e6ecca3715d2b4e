const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const NUMBER = /^\d{1,2}$/;

/** Returns a cron expression in words if it is of a usual kind: `daily at 09:00`. Undefined for others. */
export function cronWords(cron: string): string | undefined {
  const [minute = '', hour = '', date = '', month = '', day = ''] = cron.trim().split(/\s+/);
  if (month !== '*') return undefined;
  if (date === '*' && day === '*') return everyDayWords(minute, hour);
  if (!NUMBER.test(minute) || !NUMBER.test(hour)) return undefined;
  const at = clock(hour, minute);
  if (date === '*' && day === '1-5') return `Mondays to Fridays at ${at}`;
  if (date === '*' && /^[0-7](?:,[0-7])*$/.test(day)) return `${daysWords(day)} at ${at}`;
  if (day === '*' && NUMBER.test(date)) return `on day ${Number(date)} of each month at ${at}`;
  return undefined;
}

function everyDayWords(minute: string, hour: string): string | undefined {
  const [, minutes] = /^\*\/(\d{1,2})$/.exec(minute) ?? [];
  const [, hours] = /^\*\/(\d{1,2})$/.exec(hour) ?? [];
  if (hour === '*') {
    if (minute === '*') return 'every minute';
    if (minutes !== undefined && 60 % Number(minutes) === 0) return each(Number(minutes), 'minute');
    return NUMBER.test(minute) ? `each hour at :${minute.padStart(2, '0')}` : undefined;
  }
  if (!NUMBER.test(minute)) return undefined;
  if (hours !== undefined && 24 % Number(hours) === 0) {
    return `${each(Number(hours), 'hour')} at :${minute.padStart(2, '0')}`;
  }
  return NUMBER.test(hour) ? `daily at ${clock(hour, minute)}` : undefined;
}

function daysWords(days: string): string {
  const names = days.split(',').map((day) => DAYS[Number(day)] ?? '');
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}

const each = (count: number, noun: string) => (count === 1 ? `every ${noun}` : `every ${count} ${noun}s`);
const clock = (hour: string, minute: string) => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
