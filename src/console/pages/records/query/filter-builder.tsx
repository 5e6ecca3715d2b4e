import { Plus } from 'lucide-react';
import type { RecordField } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { Input, Select } from '../../../ui/form/field.js';
import { FilterRow, newFilter } from './filter-row.js';
import { fromLocalField, toLocalField } from './local-time.js';
import { MOST_FILTERS, type RecordQuery } from './record-query.js';
import { presetOf, presetRange, PRESETS } from './time-presets.js';
import type { RecordQueryChange } from './use-record-query.js';

interface FilterBuilderProps {
  fields: RecordField[];
  query: RecordQuery;
  onChange: (change: RecordQueryChange) => void;
}

/** The conditions of the list, all of which hold, and when its records were made. */
export function FilterBuilder({ fields, query, onChange }: FilterBuilderProps) {
  const { filters, from, to, tests } = query;
  // A new condition begins with a field of the type itself, which stand last.
  const first = fields.find((_field, index) => index >= 2) ?? fields[0];
  const change = (at: number, by: RecordQuery['filters']) =>
    onChange({ filters: filters.toSpliced(at, 1, ...by) });
  return (
    <search className="stack record-filters" aria-label="Filters">
      {filters.map((filter, at) => (
        <FilterRow
          // Conditions have no names, and may be alike.
          key={at}
          filter={filter}
          fields={fields}
          onChange={(changed) => change(at, [changed])}
          onRemove={() => change(at, [])}
        />
      ))}
      <div className="row row-wrap">
        <Button
          disabled={first === undefined || filters.length >= MOST_FILTERS}
          onClick={() => first && onChange({ filters: [...filters, newFilter(fields, first.id)] })}
        >
          <Plus aria-hidden="true" /> Filter
        </Button>
        <Select
          aria-label="Created"
          value={presetOf(query)}
          onChange={({ target: { value } }) => value !== 'other' && onChange(presetRange(value, Date.now()))}
        >
          <option value="">Any time</option>
          {PRESETS.map(({ days, words }) => (
            <option key={days} value={days}>
              {words}
            </option>
          ))}
          {presetOf(query) === 'other' && <option value="other">Between times</option>}
        </Select>
        <label className="row faint">
          Created from
          <Input
            type="datetime-local"
            value={toLocalField(from)}
            onChange={({ target }) => onChange({ from: fromLocalField(target.value) })}
          />
        </label>
        <label className="row faint">
          before
          <Input
            type="datetime-local"
            value={toLocalField(to)}
            onChange={({ target }) => onChange({ to: fromLocalField(target.value) })}
          />
        </label>
        <label className="row faint">
          <input
            type="checkbox"
            checked={tests}
            onChange={({ target }) => onChange({ tests: target.checked })}
          />
          Test runs
        </label>
      </div>
    </search>
  );
}
