import { X } from 'lucide-react';
import { Link } from 'wouter';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { Card } from '../../../ui/card.js';
import { caseFiltersIn, casesPath } from '../../cases/case-query.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { useTags } from '../../stories/stories-data.js';
import { AddLine } from '../add-line.js';

/** The tags; each leads to the cases that have it. */
export function TagsCard({ one: { case_id: id, tags, team } }: { one: Case }) {
  const mayChange = useMay('write', team.id);
  const all = useTags().data ?? [];
  const work = useCaseWork();
  const suggestions = all.filter(({ team: { id: own } }) => own === team.id).map(({ name }) => name);
  return (
    <Card title="Tags">
      {tags.length === 0 && <p className="case-none faint">No tags yet.</p>}
      <ul className="row row-wrap case-tag-list">
        {tags.map(({ id: tagId, name }) => (
          <li key={tagId} className="badge plain case-tag">
            <Link href={casesPath({ ...caseFiltersIn(''), tag: name })} className="cut" title={name}>
              {name}
            </Link>
            {mayChange && (
              <button
                type="button"
                aria-label={`Remove the tag ${name.slice(0, 60)}`}
                disabled={work.isPending}
                onClick={() => work.mutate(() => api.cases.update({ id, remove_tag_names: [name] }))}
              >
                <X aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <AddLine
          fields={[{ name: 'tag', label: 'New tag', suggestions }]}
          verb="Add tag"
          isBusy={work.isPending}
          onAdd={({ tag = '' }, onSuccess) =>
            work.mutate(() => api.cases.update({ id, add_tag_names: [tag] }), { onSuccess })
          }
        />
      )}
    </Card>
  );
}
