import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter, DeadLetterGroup } from '../../../../clients/typescript/api.js';
import { BackLink } from '../../ui/back-link.js';
import { Card, Figure } from '../../ui/card.js';
import { countWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { actionNameOf } from './group-table.js';
import { LetterDialog } from './letter-dialog.js';
import { type GroupName, type LetterFilters, letterPath } from './letter-filters.js';
import { LetterTable } from './letter-table.js';
import { useLetterGroups } from './letters-data.js';
import { FollowedRetry } from './retry/followed-retry.js';
import { GroupWork } from './retry/group-work.js';

/** One group: what to do with all of it, and its letters. */
export function GroupView({ filters, name }: { filters: LetterFilters; name: GroupName }) {
  const [tried, setTried] = useState<DeadLetter>();
  const [opened, setOpened] = useState<DeadLetter>();
  const found = useLetterGroups({ error: '', story: undefined, group: name });
  return (
    <div className="page">
      <BackLink href={letterPath({ ...filters, group: undefined })}>All dead letters</BackLink>
      <Answer of={found} lines={6}>
        {({ groups: [group] }) => (
          <>
            <GroupHead kind={name.kind} group={group} />
            {/* The work goes on, and tells what it did, when the last letter has left the list. */}
            <GroupWork name={name} group={group} />
            {tried !== undefined && <FollowedRetry key={tried.id} letter={tried} />}
            {group === undefined ? (
              <div className="table-frame">
                <Nothing title="No dead letters left in this group." icon={<MailCheck aria-hidden="true" />}>
                  <p>All were retried or dropped. Those that fail again will reappear.</p>
                </Nothing>
              </div>
            ) : (
              <LetterTable name={name} onOpen={setOpened} onRetried={setTried} />
            )}
          </>
        )}
      </Answer>
      {opened !== undefined && <LetterDialog letter={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function GroupHead({ kind, group }: { kind: string; group: DeadLetterGroup | undefined }) {
  if (group === undefined) return <h1 className="wrap">{kind}</h1>;
  const { story_id: storyId, story_name: storyName, agent_id: actionId } = group;
  return (
    <>
      <header className="page-head">
        <h1 className="wrap">{actionNameOf(group)}</h1>
        <span className="faint wrap">
          in <Link href={`/stories/${storyId}?action=${actionId}`}>{storyName}</Link>
        </span>
      </header>
      <Card title="What failed">
        <p className="group-kind wrap">{kind}</p>
        <dl className="figures few">
          <Figure name="Dead letters" value={countWords(group.dead_letters)} tone="bad" />
          <Figure name="First failed" value={<Time at={group.first_failed_at} />} />
          <Figure name="Last failed" value={<Time at={group.last_failed_at} />} />
          <Figure name="Retried before" value={countWords(group.retried)} />
        </dl>
      </Card>
    </>
  );
}
