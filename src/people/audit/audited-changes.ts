import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import type { AuditedState, AuditedValue } from './audited-state-store.js';

/** A field that a write changed. */
export interface AuditedChange {
  field: string;
  /** Null: absent, or not kept. */
  before: AuditedValue;
  after: AuditedValue;
  /** Whether values are not kept, since they may be secrets. */
  hidden: boolean;
}

const MOST_CHARACTERS = 200;

/**
 * Returns the fields that differ between two states of a thing; of one that is deleted, its values. Values of hidden fields
 * are no part of it.
 */
export function auditedChanges(before: AuditedState, after: AuditedState | undefined): AuditedChange[] {
  const shown = Object.keys(before.shown)
    .filter((field) => before.shown[field] !== (after?.shown[field] ?? null))
    .map((field) => ({
      field,
      before: kept(before.shown[field]),
      after: kept(after?.shown[field]),
      hidden: false,
    }));
  if (after === undefined) return shown;
  const hidden = Object.keys(before.hidden)
    .filter((field) => before.hidden[field] !== after.hidden[field])
    .map((field) => ({ field, before: null, after: null, hidden: true }));
  return [...shown, ...hidden];
}

/** Long texts are cut, and whatever looks like a secret is masked. */
function kept(value: AuditedValue | undefined): AuditedValue {
  return typeof value === 'string' ? hideInText(value).slice(0, MOST_CHARACTERS) : (value ?? null);
}
