import '../../../ui/card.css';
import './histogram.css';
import { RangeBars } from '../../../ui/charts/range-bars.js';
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
  const bars = useRunHistogram(bucketsFor(range, now), filters);
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
      <Answer of={bars} lines={2}>
        {(all) => (
          <RangeBars
            bars={all}
            range={range}
            label="Runs over time"
            note={`${sumWords(all)}${isNarrowed ? ' (of any status, start and value)' : ''}`}
            aside={fields}
            onRange={(chosen) => onRange(filtersOf(chosen))}
          />
        )}
      </Answer>
    </section>
  );
}

function sumWords(bars: readonly { all: number; bad: number }[]): string {
  const sum = (of: 'all' | 'bad') => bars.reduce((total, bar) => total + bar[of], 0);
  return `${nounWords(sum('all'), 'run')}, ${countWords(sum('bad'))} failed`;
}
