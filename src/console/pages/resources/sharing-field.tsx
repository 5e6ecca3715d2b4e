import './sharing-field.css';
import { useState } from 'react';
import { useTeamsWith } from '../../api/signed-in.js';
import { Field, Select, Tick } from '../../ui/form/field.js';
import { isWhole, type Sharing } from './sharing-change.js';

interface SharingFieldProps {
  /** The team of the thing, which may always use it. */
  teamId: number;
  sharing: Sharing;
  onChange: (sharing: Sharing) => void;
}

/** A choice of the teams that may use a thing. */
export function SharingField({ teamId, sharing, onChange }: SharingFieldProps) {
  const teams = useChoosable(teamId, sharing.slugs);
  const { access, slugs } = sharing;
  const choose = (slug: string, isChosen: boolean) =>
    onChange({ access, slugs: isChosen ? [...slugs, slug] : slugs.filter((each) => each !== slug) });
  return (
    <>
      <Field name="Shared with">
        <Select
          value={access}
          onChange={({ target }) => onChange({ slugs, access: target.value as Sharing['access'] })}
        >
          <option value="TEAM">Own team</option>
          <option value="GLOBAL">All teams</option>
          {teams.length > 0 && <option value="SPECIFIC_TEAMS">Some teams</option>}
        </Select>
      </Field>
      {access === 'SPECIFIC_TEAMS' && (
        <fieldset className="sharing-teams">
          <legend className="field-name">Own team and</legend>
          {teams.map(([slug, name]) => (
            <Tick
              key={slug}
              checked={slugs.includes(slug)}
              onChange={({ target }) => choose(slug, target.checked)}
            >
              {name}
            </Tick>
          ))}
        </fieldset>
      )}
      {!isWhole(sharing) && (
        <p className="warn" role="status">
          Choose a team.
        </p>
      )}
    </>
  );
}

/** Returns slug and name of the teams to choose from. A team that the person cannot see is named by its slug. */
function useChoosable(teamId: number, slugs: readonly string[]): [string, string][] {
  const [present] = useState(slugs);
  const choosable = new Map(present.map((slug) => [slug, slug]));
  for (const { id, slug, name } of useTeamsWith('read').toReversed()) {
    // A team whose name has no letter of a slug cannot be named.
    if (id !== teamId && slug !== '') choosable.set(slug, name);
  }
  return [...choosable].toSorted(([, one], [, other]) => one.localeCompare(other));
}
