import { X } from 'lucide-react';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import type { AddressChange } from '../../ui/browser/use-address.js';
import { IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { LaterInput } from '../../ui/form/later-input.js';
import { SpanSelect } from '../runs/run-filter-bar.js';
import { nameOf } from '../team/team-data.js';
import { TeamFilter } from '../team/team-filter.js';
import { useAccounts } from './audit-data.js';
import { type AuditFilters, isNarrowed } from './audit-filters.js';

interface AuditFilterBarProps {
  filters: AuditFilters;
  /** The entries in sight: their words are offered. */
  entries: readonly AuditEntry[];
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

/** Person, action, thing, team and time. */
export function AuditFilterBar({ filters, entries, onChange }: AuditFilterBarProps) {
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
      <WordField
        label="Action"
        placeholder="Action"
        text={action}
        known={entries.map((entry) => entry.action)}
        onText={(text) => onChange({ action: text })}
      />
      <WordField
        label="Object type"
        placeholder="Object type"
        text={type}
        known={entries.map((entry) => entry.target_type)}
        onText={(text) => onChange({ type: text })}
      />
      <LaterInput
        className="audit-id"
        aria-label="Object id"
        placeholder="Object id"
        inputMode="numeric"
        value={target === undefined ? '' : String(target)}
        onText={(text) => onChange({ target: text })}
      />
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

interface WordFieldProps {
  label: string;
  placeholder: string;
  text: string;
  known: readonly string[];
  onText: (text: string) => void;
}

function WordField({ label, placeholder, text, known, onText }: WordFieldProps) {
  const list = `known-${label.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <>
      <LaterInput
        className="audit-word"
        aria-label={label}
        placeholder={placeholder}
        spellCheck={false}
        maxLength={64}
        list={list}
        value={text}
        onText={(next) => onText(next.trim())}
      />
      <datalist id={list}>
        {[...new Set(known)].toSorted().map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </datalist>
    </>
  );
}
