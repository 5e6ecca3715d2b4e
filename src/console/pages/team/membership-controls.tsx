import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/console-api.js';
import type { TeamRole } from '../../api/session-api.js';
import { useChange } from '../../api/use-change.js';
import { IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { Question } from '../../ui/overlay/question.js';
import { ROLE_WORDS, ROLES, roleIn } from './role-words.js';

interface MembershipControlsProps {
  teamId: number;
  userId: number;
  role: TeamRole;
  /** The person and the team, for screen readers. */
  what: string;
  mayEdit: boolean;
}

/** The role of a person in a team: it is changed here, and taken away. */
export function MembershipControls({ teamId, userId, role, what, mayEdit }: MembershipControlsProps) {
  const [isAsked, setAsked] = useState(false);
  const place = { team_id: teamId, user_id: userId };
  const changing = useChange((next: TeamRole) => api.teams.members.update({ ...place, role: next }), {
    did: 'Role changed.',
    old: ['people'],
  });
  const removing = useChange(() => api.teams.members.delete(place), {
    did: 'User removed from the team.',
    old: ['people'],
    onDone: () => setAsked(false),
  });
  if (!mayEdit) return <span className="soft">{ROLE_WORDS[role]}</span>;
  return (
    <span className="row row-end">
      <Select
        aria-label={`Role: ${what}`}
        value={role}
        disabled={changing.isPending}
        onChange={({ target }) => changing.mutate(roleIn(target.value))}
      >
        {ROLES.map((word) => (
          <option key={word} value={word}>
            {ROLE_WORDS[word]}
          </option>
        ))}
      </Select>
      <IconButton label={`Remove ${what}`} disabled={removing.isPending} onClick={() => setAsked(true)}>
        <X />
      </IconButton>
      {isAsked && (
        <Question
          title={`Remove ${what}?`}
          about="Access to the stories, runs and cases of the team ends immediately."
          button="Remove"
          isBusy={removing.isPending}
          onClose={() => setAsked(false)}
          onYes={() => removing.mutate(undefined)}
        />
      )}
    </span>
  );
}
