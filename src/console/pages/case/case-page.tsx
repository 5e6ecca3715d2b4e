import '../cases/cases.css';
import '../../ui/lists/lines.css';
import './case.css';
import { useParams } from 'wouter';
import type { Case } from '../../../../clients/typescript/api.js';
import { NotFoundPage } from '../../ui/not-found-page.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { BackLink } from '../../ui/back-link.js';
import { Card } from '../../ui/card.js';
import { Markdown } from '../../ui/markdown/markdown.js';
import { Answer } from '../../ui/states.js';
import { FieldsCard } from './aside/fields-card.js';
import { LinkedCard } from './aside/linked-card.js';
import { LinksCard } from './aside/links-card.js';
import { PeopleCard } from './aside/people-card.js';
import { RecordsCard } from './aside/records-card.js';
import { TagsCard } from './aside/tags-card.js';
import { useCase, useNameOf } from './case-data.js';
import { CaseHead } from './case-head.js';
import { ConditionsCard } from './closing/conditions-card.js';
import { useClosing } from './closing/use-closing.js';
import { Talk } from './talk/talk.js';

/** One case: its text, what was done and said, and all that belongs to it. */
export function CasePage() {
  const id = Number(useParams<{ id: string }>().id);
  const found = useCase(id);
  useTitle(found.data?.name ?? 'Case');
  if (!Number.isSafeInteger(id)) return <NotFoundPage />;
  return (
    <div className="page">
      <BackLink href="/cases">All cases</BackLink>
      <Answer of={found} lines={8}>
        {(one) => <Whole key={one.case_id} one={one} />}
      </Answer>
    </div>
  );
}

function Whole({ one }: { one: Case }) {
  const nameOf = useNameOf(one);
  const closing = useClosing(one);
  return (
    <>
      <CaseHead one={one} closing={closing} />
      <div className="case-columns">
        <div className="stack case-main">
          <Card title="Description">
            <div className="case-text">
              {one.description === null ? (
                <p className="faint">No description yet.</p>
              ) : (
                <Markdown text={one.description} nameOf={nameOf} />
              )}
            </div>
          </Card>
          <ConditionsCard one={one} refusals={closing.refusals} />
          <Talk one={one} nameOf={nameOf} />
        </div>
        <div className="stack case-aside">
          <PeopleCard one={one} />
          <TagsCard one={one} />
          <FieldsCard one={one} />
          <RecordsCard one={one} />
          <LinkedCard one={one} />
          <LinksCard one={one} />
        </div>
      </div>
    </>
  );
}
