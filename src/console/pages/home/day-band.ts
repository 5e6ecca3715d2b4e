import type { AuditEntry, Statistics } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { LOCALE } from '../../text/locale.js';
import { nounWords } from '../../ui/words/figures.js';

const HOUR_MS = 60 * 60_000;
const shortTime = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

/** An hour of the band. Heights are per cent: of the highest bar, and of its own. */
export interface Hour {
  from: string;
  /** Leads to its runs. */
  path: string;
  /** For people who do not see it, and for the hint. */
  words: string;
  time: string;
  height: number;
  badHeight: number;
  /** How often something was published. */
  marks: number;
  /** False: there are no figures, which is not zero. */
  isKept: boolean;
}

interface BandFacts {
  /** The place of the first hour with figures. */
  firstKept: number;
  countedUntil: string;
  publications: readonly Pick<AuditEntry, 'created_at' | 'target_name'>[];
}

/** Returns the hours of a day, the oldest first, as they are drawn. */
export function bandOf(hours: readonly Statistics[], facts: BandFacts): Hour[] {
  const most = Math.max(1, ...hours.map(({ runs_ended: ended }) => ended ?? 0));
  return hours.map((hour, at): Hour => {
    const [start, ended, failed] = [Date.parse(hour.from), hour.runs_ended ?? 0, hour.runs_failed ?? 0];
    const until = new Date(start + HOUR_MS).toISOString();
    const isKept = at >= facts.firstKept && start < Date.parse(facts.countedUntil);
    const published = facts.publications.filter(({ created_at: time }) => {
      const since = Date.parse(time) - start;
      return since >= 0 && since < HOUR_MS;
    });
    return {
      from: hour.from,
      path: `/runs?${new URLSearchParams({ since: hour.from, until }).toString()}`,
      words: `${shortTime.format(start)}: ${wordsOf(hour, isKept, published)}`,
      time: shortTime.format(start),
      height: ended === 0 ? 0 : Math.max(4, (ended / most) * 100),
      badHeight: failed === 0 ? 0 : Math.max(8, (failed / ended) * 100),
      marks: published.length,
      isKept,
    };
  });
}

function wordsOf(hour: Statistics, isKept: boolean, published: BandFacts['publications']): string {
  const { runs_started: started, runs_ended: ended, runs_failed: failed } = hour;
  const runs = isKept
    ? `${nounWords(started ?? 0, 'run')} started, ${ended ?? 0} ended, ${failed ?? 0} failed`
    : 'no data';
  const names = published.map(({ target_name: name }) => isolated(name ?? 'a draft')).join(', ');
  return names === '' ? runs : `${runs}. Published: ${names}`;
}
