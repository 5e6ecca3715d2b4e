import type { TeamRole } from '../../api/session-api.js';
import { Field, Select } from '../../ui/form/field.js';
import { ROLE_WORDS, ROLES } from './role-words.js';

/** A choice of a role in a team, as the field `role` of a form. */
export function RoleField({ usual = 'VIEWER' }: { usual?: TeamRole }) {
  return (
    <Field name="Role">
      <Select name="role" defaultValue={usual}>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {ROLE_WORDS[role]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
