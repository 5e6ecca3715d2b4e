import type { RunDetails } from '../../../clients/typescript/api.js';
import { LOCALE } from './locale.js';

/** Why work waits, in the words of the API. */
export type WaitReason = RunDetails['open_deliveries'][number]['reason'];

/** Returns why work waits: in a word or two for a row, and as a sentence without its full stop. */
interface Words {
  short: string;
  long: string;
  /** What begins the time at which it goes on. */
  goesOn?: string;
}

const WORDS: Record<WaitReason, Words> = {
  mails_per_day: { short: 'mail quota', long: 'The mail quota is used up' },
  records: { short: 'record quota', long: 'The quota of records is used up' },
  rate_limit: { short: 'rate limit', long: 'The server asked to wait' },
  throttle: { short: 'throttle', long: 'A throttle lets few events through at a time' },
  retry: { short: 'retry', long: 'An attempt failed', goesOn: 'will be retried' },
  delay: { short: 'delay', long: 'Delayed by the options of the action' },
  credential: { short: 'credential', long: 'A credential must be connected again' },
  disabled: { short: 'disabled', long: 'The action or its story is disabled' },
  frozen: { short: 'frozen', long: 'The tenant is being moved' },
  fair_share: { short: 'fair share', long: 'The story has used its share of jobs' },
  slots: { short: 'no slot', long: 'All slots of the story are busy' },
  group: { short: 'group', long: 'Waits for the rest of its group' },
  call: { short: 'called story', long: 'Waits for a story that it called' },
  paused: { short: 'queue paused', long: 'Its queue is paused' },
  no_process: { short: 'no process', long: 'No process serves its queue' },
  queued: { short: 'queued', long: 'Queued' },
  running: { short: 'running', long: 'Running' },
};

/** Quotas of a UTC day: they say when they reset in that zone. */
const OF_UTC_DAY: ReadonlySet<WaitReason> = new Set<WaitReason>(['mails_per_day']);

/** Returns why work waits, in a word or two. */
export const shortWait = (reason: WaitReason): string => WORDS[reason].short;

/**
 * Returns why work waits and until when, as a sentence without its full stop: `The mail quota is used up: continues after 00:00
 * UTC`. `until` is null where nobody can tell.
 */
export function waitSentence(reason: WaitReason, until: string | null): string {
  const { long, goesOn = 'continues' } = WORDS[reason];
  if (until === null) return reason === 'retry' ? `${long}: ${goesOn}` : long;
  return `${long}: ${goesOn} ${OF_UTC_DAY.has(reason) ? AFTER_RESET : clockWords(until)}`;
}

/** The time at which a quota of a UTC day resets. Work that waits for it continues in the minutes after that. */
export const AFTER_RESET = 'after 00:00 UTC';

/** Whether it waits for what a person can change, or for a time; not just its turn. */
export const isHeld = (reason: WaitReason): boolean => reason !== 'queued' && reason !== 'running';

/** A page on which a person looks after something. */
export interface Place {
  path: string;
  /** The text of its button. */
  name: string;
}

/** The queues, with why their work waits. */
export const QUEUES: Place = { path: '/queues', name: 'Open queues' };
/** What is used of each quota. */
export const QUOTAS: Place = { path: '/quotas', name: 'Open quotas' };
/** All credentials. */
export const CREDENTIALS: Place = { path: '/credentials', name: 'Open credentials' };

const PLACES: Partial<Record<WaitReason, Place>> = {
  mails_per_day: QUOTAS,
  records: QUOTAS,
  credential: CREDENTIALS,
  paused: QUEUES,
  no_process: QUEUES,
  fair_share: QUEUES,
  slots: QUEUES,
};

/** Returns the page that says more about why work waits; undefined: there is none. */
export const placeOfWait = (reason: WaitReason): Place | undefined => PLACES[reason];

const utc = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const DAY_MS = 24 * 60 * 60_000;

/** Returns the time of day in UTC: `00:00 UTC`. */
export const utcClock = (at: string): string => `${utc.format(new Date(at))} UTC`;

/** Returns a coming time in the person's zone: `at 15:04`; with its date, beyond a day. */
export function clockWords(at: string): string {
  const time = Date.parse(at);
  return time - Date.now() < DAY_MS ? `at ${clock.format(time)}` : `on ${day.format(time)}`;
}
