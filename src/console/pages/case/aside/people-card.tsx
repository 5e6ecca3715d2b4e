import { X } from 'lucide-react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { IconButton } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { Select } from '../../../ui/form/field.js';
import { personName, useCaseWork, usePeople } from '../../cases/cases-data.js';

/** The people who work on the case. */
export function PeopleCard({ one: { case_id: id, assignees, team } }: { one: Case }) {
  const mayChange = useMay('write', team.id);
  const people = usePeople().data ?? [];
  const work = useCaseWork();
  const has = new Set(assignees.map(({ email }) => email));
  return (
    <Card title="Assigned to">
      {assignees.length === 0 && <p className="case-none faint">No assignees.</p>}
      <ul>
        {assignees.map((user) => (
          <li key={user.user_id} className="row case-item">
            <bdi className="grow cut" title={user.email}>
              {personName(user)}
            </bdi>
            {mayChange && (
              <IconButton
                label={`Unassign ${personName(user)}`}
                disabled={work.isPending}
                onClick={() =>
                  work.mutate(() => api.cases.update({ id, remove_assignee_emails: [user.email] }))
                }
              >
                <X />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <div className="add-line">
          <Select
            className="case-wide"
            aria-label="Assign to"
            value=""
            disabled={work.isPending}
            onChange={({ target: { value } }) =>
              work.mutate(() => api.cases.update({ id, add_assignee_emails: [value] }))
            }
          >
            <option value="">Assign to…</option>
            {people
              .filter(({ email }) => !has.has(email))
              .map(({ id: userId, email, name }) => (
                <option key={userId} value={email}>
                  {name}
                </option>
              ))}
          </Select>
        </div>
      )}
    </Card>
  );
}
