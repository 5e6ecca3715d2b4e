import { useSession } from '../../api/signed-in.js';
import { Select } from '../../ui/form/field.js';

/** A choice of a team to narrow a list to; nothing where there is one team. */
export function TeamFilter(props: { team: number | undefined; onTeam: (team: number | undefined) => void }) {
  const { team, onTeam } = props;
  const { teams } = useSession();
  if (teams.length < 2) return null;
  return (
    <Select
      aria-label="Team"
      value={team ?? ''}
      onChange={({ target }) => onTeam(Number(target.value) || undefined)}
    >
      <option value="">All teams</option>
      {teams.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Returns a function that names a team by its id. */
export function useTeamName(): (id: number | null) => string {
  const { teams } = useSession();
  return (id) => (id === null ? '–' : (teams.find((team) => team.id === id)?.name ?? `team ${id}`));
}
