import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Team } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { Question } from '../../../ui/overlay/question.js';
import { TeamDialog } from './team-dialog.js';
import { isolated } from '../../../text/isolated.js';

/** The first keys of queries that know the teams. */
const OLD = ['people', 'session'] as const;

/** The name of a team, which an owner changes; an owner also deletes an empty team. */
export function TeamHead({ team: { id, name } }: { team: Team }) {
  const isOwner = useIsOwner();
  const [, go] = useLocation();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const close = () => setOpen(undefined);
  const renaming = useChange((next: string) => api.teams.update({ id, name: next }), {
    did: 'Team renamed.',
    old: OLD,
    onDone: close,
  });
  const deleting = useChange(() => api.teams.delete({ id }), {
    did: 'Team deleted.',
    old: OLD,
    onDone: () => go('/team?tab=teams'),
  });
  return (
    <header className="page-head">
      <h1 className="grow wrap">{name}</h1>
      {isOwner && (
        <>
          <Button onClick={() => setOpen('rename')}>
            <Pencil aria-hidden="true" /> Rename
          </Button>
          <Button look="danger" onClick={() => setOpen('delete')}>
            <Trash2 aria-hidden="true" /> Delete
          </Button>
        </>
      )}
      {open === 'rename' && (
        <TeamDialog
          title="Rename the team"
          button="Save"
          name={name}
          isBusy={renaming.isPending}
          onClose={close}
          onSave={(next) => renaming.mutate(next)}
        />
      )}
      {open === 'delete' && (
        <Question
          title={`Delete ${isolated(name)}?`}
          about="Its API keys are revoked. A team with stories, record types, cases, credentials or resources cannot be deleted."
          button="Delete team"
          isBusy={deleting.isPending}
          onClose={close}
          onYes={() => deleting.mutate(undefined)}
        />
      )}
    </header>
  );
}
