import { X } from 'lucide-react';
import type { Case } from '../../../../clients/typescript/api.js';
import { useTeamsWith } from '../../api/signed-in.js';
import { IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { SearchField } from '../../ui/form/search-field.js';
import { useTags } from '../stories/stories-data.js';
import { PRIORITY_WORDS, STATUS_WORDS } from './case-marks.js';
import { type CaseFilters, caseFiltersIn, isNarrowed, ORDERS, PRIORITIES, STATUSES } from './case-query.js';
import { usePeople } from './cases-data.js';
import type { CaseFiltersChange } from './use-case-filters.js';

const ORDER_WORDS: Readonly<Record<CaseFilters['order'], string>> = {
  UPDATED_AT_DESC: 'Recently changed',
  CREATED_AT_DESC: 'Newest',
  PRIORITY_DESC: 'Most urgent',
  NAME_ASC: 'By name',
};

interface CaseFilterBarProps {
  filters: CaseFilters;
  onChange: CaseFiltersChange;
}

/** Words, state, priority, team, person, tag and order. The board has a column for each priority, in its own order. */
export function CaseFilterBar({ filters, onChange }: CaseFilterBarProps) {
  const { view, search, status, priority, order } = filters;
  return (
    <search className="filter-bar">
      <SearchField
        label="Search cases"
        placeholder="Part of the name or description"
        text={search}
        onSearch={(text) => onChange({ search: text })}
      />
      {view === 'list' && (
        <Select
          aria-label="Status"
          value={status}
          onChange={({ target }) => onChange({ status: target.value as CaseFilters['status'] })}
        >
          <option value="">Any status</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {STATUS_WORDS[each]}
            </option>
          ))}
        </Select>
      )}
      {view === 'list' && (
        <Select
          aria-label="Priority"
          value={priority}
          onChange={({ target }) => onChange({ priority: target.value as '' | Case['priority'] })}
        >
          <option value="">Any priority</option>
          {PRIORITIES.map((each) => (
            <option key={each} value={each}>
              {PRIORITY_WORDS[each]}
            </option>
          ))}
        </Select>
      )}
      <Choices filters={filters} onChange={onChange} />
      {view === 'list' && (
        <Select
          aria-label="Order"
          value={order}
          onChange={({ target }) => onChange({ order: target.value as CaseFilters['order'] })}
        >
          {ORDERS.map((each) => (
            <option key={each} value={each}>
              {ORDER_WORDS[each]}
            </option>
          ))}
        </Select>
      )}
      {isNarrowed(filters) && (
        <IconButton label="Clear filters" onClick={() => onChange({ ...caseFiltersIn(''), view, order })}>
          <X />
        </IconButton>
      )}
    </search>
  );
}

/** Choices of what the API lists; one that the address names is there before the list has come. */
function Choices({ filters: { team, assignee, tag }, onChange }: CaseFilterBarProps) {
  const teams = useTeamsWith('read').map(({ id, name }): [string, string] => [String(id), name]);
  const people = (usePeople().data ?? []).map(({ email, name }): [string, string] => [email, name]);
  const tags = [...new Set((useTags().data ?? []).map(({ name }) => name))].map((name): [string, string] => [
    name,
    name,
  ]);
  return (
    <>
      <Choice
        label="Team"
        all="All teams"
        value={team === undefined ? '' : String(team)}
        options={teams}
        onChoose={(id) => onChange({ team: id === '' ? undefined : Number(id) })}
      />
      <Choice
        label="Assignee"
        all="Anyone"
        value={assignee}
        options={people}
        onChoose={(email) => onChange({ assignee: email })}
      />
      <Choice
        label="Tag"
        all="All tags"
        value={tag}
        options={tags}
        onChoose={(name) => onChange({ tag: name })}
      />
    </>
  );
}

function Choice(props: {
  label: string;
  all: string;
  value: string;
  options: [string, string][];
  onChoose: (value: string) => void;
}) {
  const { label, all, value, options, onChoose } = props;
  const isKnown = value === '' || options.some(([key]) => key === value);
  return (
    <Select
      className="case-choice"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">{all}</option>
      {!isKnown && <option>{value}</option>}
      {options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </Select>
  );
}
