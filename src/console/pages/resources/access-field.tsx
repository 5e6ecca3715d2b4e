import type { Resource } from '../../../../clients/typescript/api.js';
import { Field, Select } from '../../ui/form/field.js';

/** Whose teams may use a thing. */
export type Access = Resource['read_access'];

/** A choice of the teams that may use a thing. Single teams are named by the API alone. */
export function AccessField({ access, onAccess }: { access: Access; onAccess: (access: Access) => void }) {
  return (
    <Field name="Teams that may use it">
      <Select value={access} onChange={({ target }) => onAccess(target.value as Access)}>
        <option value="TEAM">its own team</option>
        <option value="GLOBAL">all teams</option>
        {access === 'SPECIFIC_TEAMS' && <option value="SPECIFIC_TEAMS">some teams</option>}
      </Select>
    </Field>
  );
}
