import { X } from 'lucide-react';
import type { RecordField } from '../../../../../clients/typescript/api.js';
import { IconButton } from '../../../ui/form/button.js';
import { Input, Select } from '../../../ui/form/field.js';
import { LaterInput } from '../../../ui/form/later-input.js';
import { fromLocalField, toLocalField } from './local-time.js';
import { needsValue, type Operator, operatorsOf, operatorWords } from './filter-operators.js';
import type { RecordFilter } from './record-query.js';

interface FilterRowProps {
  filter: RecordFilter;
  fields: RecordField[];
  onChange: (filter: RecordFilter) => void;
  onRemove: () => void;
}

/** One condition: field, comparison, value. */
export function FilterRow({ filter, fields, onChange, onRemove }: FilterRowProps) {
  const field = fields.find(({ id }) => id === filter.field);
  const type = field?.result_type ?? 'TEXT';
  return (
    <div
      className="row record-filter"
      role="group"
      aria-label={`Filter of ${field?.name ?? 'an unknown field'}`}
    >
      <Select
        aria-label="Field"
        value={filter.field}
        onChange={({ target }) => onChange(newFilter(fields, Number(target.value)))}
      >
        {field === undefined && <option value={filter.field}>unknown field {filter.field}</option>}
        {fields.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Comparison"
        value={filter.operator}
        onChange={({ target }) => onChange({ ...filter, operator: target.value as Operator })}
      >
        {[...new Set([...operatorsOf(type), filter.operator])].map((operator) => (
          <option key={operator} value={operator}>
            {operatorWords(operator, type)}
          </option>
        ))}
      </Select>
      {needsValue(filter.operator) && (
        <FilterValue field={field} filter={filter} onValue={(value) => onChange({ ...filter, value })} />
      )}
      <IconButton label="Remove this filter" onClick={onRemove}>
        <X />
      </IconButton>
    </div>
  );
}

/** Returns a new condition for a field, with the usual comparison and no value yet. */
export function newFilter(fields: readonly RecordField[], id: number): RecordFilter {
  const type = fields.find((field) => field.id === id)?.result_type ?? 'TEXT';
  return { field: id, operator: operatorsOf(type)[0] ?? 'EQUAL', value: '' };
}

function placeholderOf({ operator }: RecordFilter, field: RecordField | undefined): string {
  if (field?.result_type === 'NUMBER') return 'number';
  return operator === 'CONTAINS' ? 'part of the text' : 'exact value';
}

function FilterValue(props: {
  field: RecordField | undefined;
  filter: RecordFilter;
  onValue: (value: string) => void;
}) {
  const { field, filter, onValue } = props;
  const { value } = filter;
  if (field?.result_type === 'TEXT_ENUM') {
    return (
      <Select aria-label="Value" value={value} onChange={({ target }) => onValue(target.value)}>
        <option value="">choose…</option>
        {field.fixed_values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
    );
  }
  if (field?.result_type === 'TIMESTAMP') {
    return (
      <Input
        type="datetime-local"
        aria-label="Value"
        value={toLocalField(value)}
        onChange={({ target }) => onValue(fromLocalField(target.value))}
      />
    );
  }
  return (
    <LaterInput
      aria-label="Value"
      inputMode={field?.result_type === 'NUMBER' ? 'decimal' : 'text'}
      placeholder={placeholderOf(filter, field)}
      value={value}
      onText={onValue}
    />
  );
}
