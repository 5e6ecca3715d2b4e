import type { Session } from '../../../api/session-api.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { Field, Input } from '../../../ui/form/field.js';
import { TeamField } from '../../team/team-field.js';

/** The name, the team and the description of a new credential. The address may say the first two. */
export function NameFields({ teams }: { teams: Session['teams'] }) {
  const [query] = useAddress();
  return (
    <>
      <Field name="Name" note="Templates refer to it as <<CREDENTIAL.name>>">
        <Input
          name="name"
          required
          maxLength={255}
          autoComplete="off"
          defaultValue={query.get('new') ?? undefined}
        />
      </Field>
      <TeamField teams={teams} team={numberIn(query, 'team')} />
      <Field name="Description">
        <Input name="description" maxLength={10_000} />
      </Field>
    </>
  );
}
