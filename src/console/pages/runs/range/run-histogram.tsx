import '../../../ui/card.css';
import './histogram.css';
import { LOCALE } from '../../../text/locale.js';
import { type Bar, RangeBars } from '../../../ui/charts/range-bars.js';
import { LaterInput } from '../../../ui/form/later-input.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { useNow } from '../../../ui/words/use-now.js';
import { Answer } from '../../../ui/states.js';
import { fromLocalField, toLocalField } from '../../records/query/local-time.js';
import type { RunFilters } from '../run-query.js';
import { useRunHistogram } from './histogram-data.js';
import { bucketsFor, filtersOf, type RangeFilters, rangeIn } from './run-range.js';

interface RunHistogramProps {
  filters: RunFilters;
  onRange: (range: RangeFilters) => void;
}

/** Runs and failures over time. A range is chosen by a drag over the bars, by keys, or by its two times. */
export function RunHistogram({ filters, onRange }: RunHistogramProps) {
  const now = useNow();
  const range = rangeIn(filters, now);
  const histogram = useRunHistogram(bucketsFor(range, now), filters);
  const { since, until, status, source, path, value } = filters;
  const isNarrowed = [status, source, path, value].some((given) => given !== '');
  const fields = (
    <>
      <span className="row faint">
        From
        <LaterInput
          type="datetime-local"
          aria-label="From"
          value={toLocalField(since)}
          onText={(text) => onRange({ span: '', since: fromLocalField(text), until })}
        />
      </span>
      <span className="row faint">
        to
        <LaterInput
          type="datetime-local"
          aria-label="To"
          value={toLocalField(until)}
          onText={(text) => onRange({ span: '', since, until: fromLocalField(text) })}
        />
      </span>
    </>
  );
  return (
    <section className="card histogram" aria-label="Runs over time">
      <Answer of={histogram} lines={2}>
        {({ bars, countedUntil }) => (
          <RangeBars
            bars={bars}
            range={range}
            label="Runs over time"
            note={`${sumWords(bars, countedUntil)}${isNarrowed ? ' (of any status, start and value)' : ''}`}
            aside={fields}
            onRange={(chosen) => onRange(filtersOf(chosen))}
          />
        )}
      </Answer>
    </section>
  );
}

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Returns the sums in words; where the newest runs are not counted yet, since when. The list below has them already. */
function sumWords(bars: readonly Bar[], countedUntil: string): string {
  const sum = (of: 'all' | 'bad') => bars.reduce((total, bar) => total + bar[of], 0);
  const words = `${nounWords(sum('all'), 'run')}, ${countWords(sum('bad'))} failed`;
  const until = Date.parse(countedUntil);
  return (bars.at(-1)?.to ?? 0) > until ? `${words}, counted until ${clock.format(until)}` : words;
}
