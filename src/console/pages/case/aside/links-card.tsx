import { ExternalLink, X } from 'lucide-react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { IconButton } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { safeAddress } from '../../../ui/markdown/safe-address.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { AddLine } from '../add-line.js';

/** The links of a case: the actions of the API. */
export function LinksCard({ one: { case_id: id, actions, team } }: { one: Case }) {
  const mayChange = useMay('write', team.id);
  const work = useCaseWork();
  return (
    <Card title="Links">
      {actions.length === 0 && <p className="case-none faint">No links yet.</p>}
      <ul>
        {actions.map(({ id: action, url, label }) => (
          <li key={action} className="row case-item">
            <OutwardLink url={url} label={label} />
            {mayChange && (
              <IconButton
                label={`Remove the link ${label.slice(0, 60)}`}
                disabled={work.isPending}
                onClick={() => work.mutate(() => api.cases.actions.delete({ id, action_id: action }))}
              >
                <X />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <AddLine
          fields={[
            { name: 'label', label: 'Text' },
            { name: 'url', label: 'URL', type: 'url' },
          ]}
          verb="Add link"
          isBusy={work.isPending}
          onAdd={({ label = '', url = '' }, onSuccess) =>
            work.mutate(() => api.cases.actions.create({ id, label, url }), { onSuccess })
          }
        />
      )}
    </Card>
  );
}

function OutwardLink({ url, label }: { url: string; label: string }) {
  const address = safeAddress(url);
  if (address === undefined) {
    return (
      <bdi className="grow cut" title={url}>
        {label}
      </bdi>
    );
  }
  return (
    <a className="grow cut" href={address} title={address} target="_blank" rel="noopener noreferrer">
      <ExternalLink className="case-outward" aria-hidden="true" /> <bdi>{label}</bdi>
    </a>
  );
}
