import type { Quota } from '../../../../clients/typescript/api.js';
import { countWords, sizeWords } from '../../ui/words/figures.js';

/** A quota in the words of people. */
interface QuotaWords {
  name: string;
  /** What it counts. */
  counts: string;
  /** What happens once it is used up. */
  consequence: string;
}

const NO_RUNS = 'New runs are refused with 429, and schedules start nothing. Runs that have begun continue.';

/** The quotas, in the order in which they are shown. */
export const QUOTA_WORDS: Record<Quota['name'], QuotaWords> = {
  events_per_day: { name: 'Events', counts: 'events that runs create', consequence: NO_RUNS },
  bytes_per_day: {
    name: 'Stored data',
    counts: 'payloads of events, and requests and responses kept with them',
    consequence: NO_RUNS,
  },
  processor_seconds_per_day: {
    name: 'Processor time',
    counts: 'processor time of runs',
    consequence: NO_RUNS,
  },
  mails_per_day: {
    name: 'Mails',
    counts: 'recipients of mails',
    consequence: 'Mails wait for the next day. Nothing is lost.',
  },
  stories: { name: 'Stories', counts: 'stories of all teams', consequence: 'No story can be added.' },
  schedules: {
    name: 'Schedules',
    counts: 'schedules of all stories',
    consequence: 'No schedule can be added.',
  },
  records: {
    name: 'Records',
    counts: 'records of all teams',
    consequence: 'No record can be added: requests are refused, and Record actions fail.',
  },
};

/** At this part of its limit, a quota is told in the colour of a warning. */
const WARNED_SHARE = 0.8;

/** Returns the part of its limit that is used: 0 to 1; 0 without a limit. */
export const shareOf = ({ used, limit }: Pick<Quota, 'used' | 'limit'>): number =>
  limit === null ? 0 : Math.min(1, used / limit);

/** Returns how a quota feels: `bad` once it is used up. */
export function toneOf({ used, limit }: Pick<Quota, 'used' | 'limit'>): 'ok' | 'warn' | 'bad' {
  if (limit === null || used < limit * WARNED_SHARE) return 'ok';
  return used >= limit ? 'bad' : 'warn';
}

const SECONDS_PER_HOUR = 3_600;

/** Returns an amount of a quota with its unit. */
export function amountWords(name: Quota['name'], amount: number): string {
  if (name === 'bytes_per_day') return sizeWords(amount);
  if (name !== 'processor_seconds_per_day') return countWords(amount);
  return amount < SECONDS_PER_HOUR ? `${amount} s` : `${(amount / SECONDS_PER_HOUR).toFixed(1)} h`;
}
