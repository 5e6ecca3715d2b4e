import { Field, Select } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';

const DAY_MS = 24 * 60 * 60_000;

/** A choice of when a key stops to work, as the field `expiry` of a form. */
export function ExpiryField() {
  return (
    <Field name="Valid for">
      <Select name="expiry" defaultValue="365">
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">1 year</option>
        <option value="">No expiry (until revoked)</option>
      </Select>
    </Field>
  );
}

/** Returns when the key of a form stops to work, as the API takes it; nothing for a key without an end. */
export function expiryIn(form: HTMLFormElement): { expires_at?: string } {
  const days = textIn(form, 'expiry');
  return days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
}
