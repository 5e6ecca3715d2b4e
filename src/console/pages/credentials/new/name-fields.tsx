import type { Session } from '../../../api/session-api.js';
import { Field, Input } from '../../../ui/form/field.js';
import { TeamField } from '../../team/team-field.js';

/** The name, the team and the description of a new credential. */
export function NameFields({ teams }: { teams: Session['teams'] }) {
  return (
    <>
      <Field name="Name" note="Templates name it by this: <<CREDENTIAL.name>>">
        <Input name="name" required maxLength={255} autoComplete="off" />
      </Field>
      <TeamField teams={teams} />
      <Field name="Description">
        <Input name="description" maxLength={10_000} />
      </Field>
    </>
  );
}
