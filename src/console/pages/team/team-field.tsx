import type { Session } from '../../api/session-api.js';
import { Field, Select } from '../../ui/form/field.js';

/** A choice of one of these teams, as the field `team` of a form. */
export function TeamField({ teams }: { teams: Session['teams'] }) {
  return (
    <Field name="Team">
      <Select name="team" required>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
