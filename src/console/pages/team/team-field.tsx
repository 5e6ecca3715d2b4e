import type { Session } from '../../api/session-api.js';
import { Field, Select } from '../../ui/form/field.js';

/** A choice of one of these teams, as the field `team` of a form. The first one is chosen unless `team` names another. */
export function TeamField({ teams, team }: { teams: Session['teams']; team?: number | undefined }) {
  return (
    <Field name="Team">
      <Select name="team" required defaultValue={team}>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
