import { X } from 'lucide-react';
import { Link } from 'wouter';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay, useTeamsWith } from '../../../api/signed-in.js';
import { IconButton } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { AddLine } from '../add-line.js';

/** Cases that belong together with this one; a link holds for both. */
export function LinkedCard({ one: { case_id: id, linked_cases: linked, team } }: { one: Case }) {
  const mayChange = useMay('write', team.id);
  const writable = new Set(useTeamsWith('write').map(({ id: teamId }) => teamId));
  const work = useCaseWork();
  return (
    <Card title="Linked cases">
      {linked.length === 0 && <p className="case-none faint">No linked cases.</p>}
      <ul>
        {linked.map(({ case_id: other, name, team_id: otherTeam }) => (
          <li key={other} className="row case-item">
            <Link href={`/cases/${other}`} className="grow cut" title={name}>
              <span className="faint">{other}</span> <bdi>{name}</bdi>
            </Link>
            {mayChange && writable.has(otherTeam) && (
              <IconButton
                label={`Remove the link to case ${other}`}
                disabled={work.isPending}
                onClick={() => work.mutate(() => api.cases.linkedCases.delete({ id, linked_case_id: other }))}
              >
                <X />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <AddLine
          fields={[{ name: 'case', label: 'Case number', type: 'number' }]}
          verb="Link case"
          isBusy={work.isPending}
          onAdd={({ case: other }, onSuccess) =>
            work.mutate(() => api.cases.linkedCases.create({ id, body: { id: Number(other) } }), {
              onSuccess,
            })
          }
        />
      )}
    </Card>
  );
}
