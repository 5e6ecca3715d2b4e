import { api } from '../../../api/console-api.js';
import type { Session, TeamRole } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { RoleField } from '../role-field.js';
import { roleIn } from '../role-words.js';
import { TeamField } from '../team-field.js';

interface JoinDialogProps {
  userId: number;
  teams: Session['teams'];
  onClose: () => void;
}

/** Gives a person a role in another team. */
export function JoinDialog({ userId, teams, onClose }: JoinDialogProps) {
  const adding = useChange(
    (given: { team_id: number; role: TeamRole }) => api.teams.members.create({ ...given, user_id: userId }),
    { did: 'User added to the team.', old: ['people'], onDone: onClose },
  );
  return (
    <FormDialog
      title="Add to a team"
      button="Add"
      isBusy={adding.isPending}
      onClose={onClose}
      onSend={(form) =>
        adding.mutate({ team_id: Number(textIn(form, 'team')), role: roleIn(textIn(form, 'role')) })
      }
    >
      <TeamField teams={teams} />
      <RoleField usual="EDITOR" />
    </FormDialog>
  );
}
