import type { AddressChange } from '../../ui/browser/use-address.js';
import { Select } from '../../ui/form/field.js';
import { SearchField } from '../../ui/form/search-field.js';
import { countWords } from '../../ui/words/figures.js';
import { type InboxFilters, KIND_WORDS, PEOPLE, STATES } from './inbox-query.js';

interface InboxFilterBarProps {
  filters: InboxFilters;
  /** How many are snoozed. */
  snoozed: number;
  onChange: (change: AddressChange) => void;
}

/** Text, kind, person and state of the entries; the address has them. */
export function InboxFilterBar({
  filters: { kind, who, state, search },
  snoozed,
  onChange,
}: InboxFilterBarProps) {
  const states = Object.entries({
    ...STATES,
    SNOOZED: snoozed > 0 ? `${STATES.SNOOZED} (${countWords(snoozed)})` : STATES.SNOOZED,
  });
  return (
    <search className="filter-bar">
      <SearchField
        label="Search the inbox"
        placeholder="Part of the message, the story or the action"
        text={search}
        onSearch={(text) => onChange({ search: text })}
      />
      <Choice
        label="Kind"
        value={kind}
        options={[['', 'All kinds'], ...Object.entries(KIND_WORDS)]}
        onChoose={(next) => onChange({ kind: next })}
      />
      <Choice
        label="Assigned to"
        value={who}
        options={Object.entries(PEOPLE)}
        onChoose={(next) => onChange({ who: next })}
      />
      <Choice
        label="State"
        value={state}
        options={states}
        onChoose={(next) => onChange({ state: next === 'OPEN' ? undefined : next.toLowerCase() })}
      />
    </search>
  );
}

function Choice(props: {
  label: string;
  value: string;
  options: [string, string][];
  onChoose: (value: string) => void;
}) {
  const { label, value, options, onChoose } = props;
  return (
    <Select aria-label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      {options.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </Select>
  );
}
