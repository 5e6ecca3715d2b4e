import { X } from 'lucide-react';
import type { AddressChange } from '../../ui/browser/use-address.js';
import { IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { SpanSelect } from '../runs/run-filter-bar.js';
import { nameOf } from '../team/team-data.js';
import { TeamFilter } from '../team/team-filter.js';
import { actionWords, nounOf } from '../home/change-words.js';
import { AUDIT_ACTIONS } from './audit-actions.js';
import { useAccounts } from './audit-data.js';
import { type AuditFilters, isNarrowed } from './audit-filters.js';
import { ThingSelect } from './thing-select.js';

interface AuditFilterBarProps {
  filters: AuditFilters;
  onChange: (change: AddressChange) => void;
}

const NONE: AddressChange = {
  user: undefined,
  action: undefined,
  type: undefined,
  target: undefined,
  team: undefined,
  span: undefined,
};

/** Person, thing, what was done to it, team and time. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const accounts = useAccounts(true).data ?? [];
  const { user, action, type, target, team, span } = filters;
  return (
    <search className="filter-bar">
      <Select
        aria-label="User"
        className="audit-person"
        value={user ?? ''}
        onChange={({ target: { value } }) => onChange({ user: value })}
      >
        <option value="">Everyone</option>
        {user !== undefined && accounts.every(({ id }) => id !== user) && (
          <option value={user}>user {user}</option>
        )}
        {accounts.map((account) => (
          <option key={account.id} value={account.id}>
            {nameOf(account)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Object"
        className="audit-person"
        value={type}
        onChange={({ target: { value } }) => onChange({ type: value, action: undefined, target: undefined })}
      >
        <option value="">All objects</option>
        {withGiven(Object.keys(AUDIT_ACTIONS), type).map((each) => (
          <option key={each} value={each}>
            {nounOf(each)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Change"
        className="audit-person"
        value={action}
        onChange={({ target: { value } }) => onChange({ action: value })}
      >
        <option value="">All changes</option>
        {withGiven(actionsOf(type), action).map((each) => (
          <option key={each} value={each}>
            {actionWords(each)}
          </option>
        ))}
      </Select>
      {type !== '' && <ThingSelect type={type} target={target} onTarget={(id) => onChange({ target: id })} />}
      <TeamFilter team={team} onTeam={(id) => onChange({ team: id })} />
      <SpanSelect span={span} onSpan={(next) => onChange({ span: next })} />
      {isNarrowed(filters) && (
        <IconButton label="Clear filters" onClick={() => onChange(NONE)}>
          <X />
        </IconButton>
      )}
    </search>
  );
}

/** Returns the changes of a type, or of all. */
function actionsOf(type: string): string[] {
  return Object.entries(AUDIT_ACTIONS)
    .filter(([each]) => type === '' || each === type)
    .flatMap(([each, verbs]) => verbs.map((verb) => `${each}.${verb}`));
}

/** A value that the address names is offered, though the list lacks it. */
const withGiven = (values: readonly string[], given: string): string[] =>
  given === '' || values.includes(given) ? [...values] : [given, ...values];
