/** When a schedule starts runs, as its fields show it. */
export type CronPlan =
  | { kind: 'minutes'; every: number }
  | { kind: 'hourly'; minute: number }
  | { kind: 'daily'; time: string }
  /** `days` from 0, a Sunday. */
  | { kind: 'weekly'; days: readonly number[]; time: string }
  | { kind: 'monthly'; date: number; time: string }
  | { kind: 'cron'; cron: string };

/** The kinds of plans with their names, in the order of the choice. */
export const PLAN_KINDS: readonly (readonly [CronPlan['kind'], string])[] = [
  ['minutes', 'Every few minutes'],
  ['hourly', 'Every hour'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
  ['cron', 'Cron expression'],
];

/** The steps by which an hour is divided evenly. */
export const MINUTE_STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30] as const;

const NUMBER = /^\d{1,2}$/;

/** Returns the plan of a cron expression; one that no other kind can show is of the kind `cron`. */
export function readCron(cron: string): CronPlan {
  const [minute = '', hour = '', date = '', month = '', day = '', ...more] = cron.trim().split(/\s+/);
  const other: CronPlan = { kind: 'cron', cron };
  if (month !== '*' || more.length > 0) return other;
  const every = minute === '*' ? 1 : Number(/^\*\/(\d{1,2})$/.exec(minute)?.[1]);
  if (hour === '*' && date === '*' && day === '*') {
    if (MINUTE_STEPS.some((step) => step === every)) return { kind: 'minutes', every };
    return isBelow(minute, 60) ? { kind: 'hourly', minute: Number(minute) } : other;
  }
  if (!isBelow(minute, 60) || !isBelow(hour, 24)) return other;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (date === '*' && day === '*') return { kind: 'daily', time };
  if (date === '*') {
    const days = daysIn(day);
    return days === undefined ? other : { kind: 'weekly', days, time };
  }
  const isDate = isBelow(date, 32) && Number(date) > 0;
  return day === '*' && isDate ? { kind: 'monthly', date: Number(date), time } : other;
}

/** Returns the cron expression of a plan. */
export function writeCron(plan: CronPlan): string {
  switch (plan.kind) {
    case 'minutes':
      return plan.every === 1 ? '* * * * *' : `*/${plan.every} * * * *`;
    case 'hourly':
      return `${plan.minute} * * * *`;
    case 'daily':
      return `${clockIn(plan.time)} * * *`;
    case 'weekly':
      return `${clockIn(plan.time)} * * ${daysText(plan.days)}`;
    case 'monthly':
      return `${clockIn(plan.time)} ${plan.date} * *`;
    default:
      return plan.cron;
  }
}

/** Returns a plan of another kind, with the time of this one. */
export function asPlan(plan: CronPlan, kind: CronPlan['kind']): CronPlan {
  if (plan.kind === kind) return plan;
  const time = 'time' in plan ? plan.time : '09:00';
  switch (kind) {
    case 'minutes':
      return { kind, every: 15 };
    case 'hourly':
      return { kind, minute: 0 };
    case 'daily':
      return { kind, time };
    case 'weekly':
      return { kind, days: [1], time };
    case 'monthly':
      return { kind, date: 1, time };
    default:
      return { kind, cron: writeCron(plan) };
  }
}

const isBelow = (text: string, end: number) => NUMBER.test(text) && Number(text) < end;

/** Returns the days of `1,3`, `1-5` and `7`, a Sunday as well; undefined for others. */
function daysIn(text: string): number[] | undefined {
  const parts = text.split(',').map((part) => /^([0-7])(?:-([0-7]))?$/.exec(part));
  const days = parts.flatMap((part) => {
    if (part === null) return [Number.NaN];
    const [first, last] = [Number(part[1]), Number(part[2] ?? part[1])];
    if (last < first) return [Number.NaN];
    return Array.from({ length: last - first + 1 }, (_, at) => (first + at) % 7);
  });
  return days.some(Number.isNaN) ? undefined : [...new Set(days)].toSorted((a, b) => a - b);
}

function daysText(days: readonly number[]): string {
  const text = [...days].toSorted((a, b) => a - b).join();
  return text === '1,2,3,4,5' ? '1-5' : text;
}

function clockIn(time: string): string {
  const [hour = '0', minute = '0'] = time.split(':');
  return `${Number(minute)} ${Number(hour)}`;
}
