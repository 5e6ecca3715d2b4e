import './resources.css';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Resource } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { useTeamsWith } from '../../app/signed-in.js';
import { useTitle } from '../../app/use-title.js';
import { BackLink } from '../../ui/back-link.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Question } from '../../ui/overlay/question.js';
import { Answer } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { ResourceDialog } from './resource-dialog.js';
import { RESOURCES, useResource } from './resources-data.js';
import { SharedBadge } from './shared-badge.js';
import { UsedBy } from './used-by.js';
import { ValueCard } from './value-card.js';

/** One resource: its values, which are changed here, and where it is used. */
export function ResourcePage() {
  const id = Number(useParams<{ id: string }>().id);
  const resource = useResource(id);
  useTitle(resource.data?.name ?? 'Resource');
  return (
    <div className="page">
      <BackLink href="/resources">All resources</BackLink>
      <Answer of={resource} lines={8}>
        {(data) => <ResourceView resource={data} />}
      </Answer>
    </div>
  );
}

function ResourceView({ resource }: { resource: Resource }) {
  const { slug, referencing_action_ids: actionIds = [], test_resource: test } = resource;
  const mayEdit = useTeamsWith('EDITOR').some(({ id }) => id === resource.team_id);
  return (
    <>
      <ResourceHead resource={resource} mayEdit={mayEdit} />
      <ValueCard resource={resource} isTest={false} mayEdit={mayEdit} />
      {(mayEdit || test !== null) && <ValueCard resource={resource} isTest mayEdit={mayEdit} />}
      <UsedBy actionIds={actionIds} name={`<<RESOURCE.${slug}>>`} />
    </>
  );
}

function ResourceHead({ resource, mayEdit }: { resource: Resource; mayEdit: boolean }) {
  const [open, setOpen] = useState<'settings' | 'delete'>();
  const [, go] = useLocation();
  const {
    id,
    name,
    description,
    value_type: type,
    updated_at: at,
    referencing_action_ids: used = [],
  } = resource;
  const deleting = useChange(() => api.deleteGlobalResource({ id }), {
    did: 'The resource is deleted.',
    old: [RESOURCES],
    onDone: () => go('/resources'),
  });
  return (
    <>
      <header className="page-head">
        <h1 className="wrap">{name}</h1>
        <Badge>{type}</Badge>
        <SharedBadge access={resource.read_access} />
        <span className="page-note">
          <Time at={at} prefix="changed " />
        </span>
        {mayEdit && (
          <>
            <Button onClick={() => setOpen('settings')}>
              <Pencil aria-hidden="true" /> Settings
            </Button>
            <Button look="danger" onClick={() => setOpen('delete')}>
              <Trash2 aria-hidden="true" /> Delete
            </Button>
          </>
        )}
      </header>
      {description !== '' && <p className="soft wrap resource-about">{description}</p>}
      {open === 'settings' && <ResourceDialog resource={resource} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Question
          title={`Delete ${name}?`}
          about={`It cannot be undone. ${nounWords(used.length, 'action')} found here ${used.length === 1 ? 'names' : 'name'} it.`}
          button="Delete it"
          isBusy={deleting.isPending}
          onClose={() => setOpen(undefined)}
          onYes={() => deleting.mutate(undefined)}
        />
      )}
    </>
  );
}
