import { Select } from '../../../ui/form/field.js';
import { useNow } from '../../../ui/words/use-now.js';
import { SPAN_WORDS } from '../run-words.js';
import { filtersOf, isLastNight, lastNight, type RangeFilters } from './run-range.js';

interface RangeSelectProps {
  range: RangeFilters;
  onRange: (range: RangeFilters) => void;
}

/** A choice of a time range: how far back, last night, or what was marked in the histogram. */
export function RangeSelect({ range, onRange }: RangeSelectProps) {
  const now = useNow();
  const isMarked = range.since !== '' || range.until !== '';
  const isNight = isMarked && isLastNight(range, now);
  const marked = isNight ? 'night' : 'marked';
  const choose = (value: string) => {
    if (value === 'night') onRange(filtersOf(lastNight(now)));
    else if (value !== 'marked') onRange({ span: value, since: '', until: '' });
  };
  return (
    <Select
      aria-label="Time"
      value={isMarked ? marked : range.span}
      onChange={({ target }) => choose(target.value)}
    >
      {SPAN_WORDS.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
      <option value="night">Last night</option>
      {isMarked && !isNight && <option value="marked">Custom range</option>}
    </Select>
  );
}
