import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter } from '../../../../clients/typescript/api.js';
import { BackLink } from '../../ui/back-link.js';
import { Card, Figure } from '../../ui/card.js';
import { countWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { actionNameOf } from './group-table.js';
import { LetterDialog } from './letter-dialog.js';
import { type LetterFilters, letterPath } from './letter-filters.js';
import { groupsOf, type LetterGroup } from './letter-groups.js';
import { LetterTable } from './letter-table.js';
import type { Letters } from './letters-data.js';
import { FollowedRetry } from './retry/followed-retry.js';
import { GroupWork } from './retry/group-work.js';

interface GroupViewProps {
  filters: LetterFilters;
  letters: { data: Letters | undefined; error: unknown; refetch: () => unknown };
}

/** One group: what to do with all of it, and its letters. */
export function GroupView({ filters, letters }: GroupViewProps) {
  const { group: name } = filters;
  const [tried, setTried] = useState<DeadLetter>();
  const [opened, setOpened] = useState<DeadLetter>();
  return (
    <div className="page">
      <BackLink href={letterPath({ ...filters, group: undefined })}>All dead letters</BackLink>
      <Answer of={letters} lines={6}>
        {(data) => {
          const group = groupsOf(data.letters).find(
            ({ actionId, kind }) => actionId === name?.actionId && kind === name.kind,
          );
          return (
            <>
              <GroupHead kind={name?.kind ?? ''} group={group} />
              {/* The work goes on, and tells what it did, when the last letter has left the list. */}
              <GroupWork letters={group?.letters ?? []} />
              {tried !== undefined && <FollowedRetry key={tried.id} letter={tried} />}
              <div className="table-frame">
                {group === undefined ? (
                  <Nothing title="No letter is left in this group." icon={<MailCheck aria-hidden="true" />}>
                    <p>All of them were tried again or dropped. Those that fail once more come back.</p>
                  </Nothing>
                ) : (
                  <LetterTable letters={group.letters} onOpen={setOpened} onRetried={setTried} />
                )}
              </div>
            </>
          );
        }}
      </Answer>
      {opened !== undefined && <LetterDialog letter={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function GroupHead({ kind, group }: { kind: string; group: LetterGroup | undefined }) {
  if (group === undefined) return <h1 className="wrap">{kind}</h1>;
  const { storyId, storyName, actionId, letters, first, last } = group;
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
        <dl className="figures">
          <Figure name="Dead letters" value={countWords(letters.length)} tone="bad" />
          <Figure name="First failed" value={<Time at={first} />} />
          <Figure name="Last failed" value={<Time at={last} />} />
          <Figure
            name="Tried again before"
            value={countWords(letters.filter(({ retries }) => retries > 0).length)}
          />
        </dl>
      </Card>
    </>
  );
}
