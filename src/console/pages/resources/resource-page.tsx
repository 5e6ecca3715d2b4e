import './resources.css';
import { useLocation, useParams } from 'wouter';
import type { Resource } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { useMay } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { BackLink } from '../../ui/back-link.js';
import { nounWords } from '../../ui/words/figures.js';
import { Answer } from '../../ui/states.js';
import { ResourceDialog } from './resource-dialog.js';
import { useResource } from './resources-data.js';
import { ThingHead } from './thing-head.js';
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
  const mayEdit = useMay('write', resource.team_id);
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
  const [, go] = useLocation();
  const { id, value_type: type, referencing_action_ids: used = [] } = resource;
  const deleting = useChange(() => api.globalResources.delete({ id }), {
    did: 'Resource deleted.',
    old: ['resources'],
    onDone: () => go('/resources'),
  });
  const naming = `${nounWords(used.length, 'action')} found here ${used.length === 1 ? 'uses' : 'use'} it.`;
  return (
    <ThingHead
      thing={resource}
      kind={type}
      mayEdit={mayEdit}
      settings={(close) => <ResourceDialog resource={resource} onClose={close} />}
      deletion={{
        about: `This cannot be undone. ${naming}`,
        isBusy: deleting.isPending,
        onYes: () => deleting.mutate(undefined),
      }}
    />
  );
}
