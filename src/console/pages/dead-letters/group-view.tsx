import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter, DeadLetterGroup } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { BackLink } from '../../ui/back-link.js';
import { Answer, Nothing } from '../../ui/states.js';
import { nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import type { CaseStart } from '../cases/new-case-dialog.js';
import { AskedCase, OpenCase } from '../cases/open-case.js';
import { groupCase } from './group-case.js';
import { actionNameOf, causeOfGroup, Trend } from './group-table.js';
import { type GroupName, type LetterFilters, letterPath } from './letter-filters.js';
import { Letters } from './letters/letters.js';
import { useLetterGroups } from './letters-data.js';
import { CanaryLine } from './retry/canary-line.js';
import { FollowedRetry } from './retry/followed-retry.js';
import { GroupWork, useGroupWork } from './retry/group-work.js';

interface GroupViewProps {
  filters: LetterFilters;
  name: GroupName;
  onLetter: (id: number) => void;
}

/** One group: what to do with all of it, its letters, and what the chosen one sent and got. */
export function GroupView({ filters, name, onLetter }: GroupViewProps) {
  const [tried, setTried] = useState<DeadLetter>();
  const [asked, askCase] = useState<CaseStart>();
  const work = useGroupWork();
  const found = useLetterGroups({ error: '', story: undefined, span: '', group: name });
  const [known, setKnown] = useState<DeadLetterGroup>();
  const present = found.data?.groups[0];
  if (present !== undefined && present !== known) setKnown(present);
  return (
    <div className="page">
      <BackLink href={letterPath({ ...filters, group: undefined })}>All dead letters</BackLink>
      <Answer of={found} lines={6}>
        {({ groups: [group] }) => (
          <>
            {group === undefined ? (
              // People know the cause, not the kind, in which marks stand for what varies: it is told while the page is open.
              <header className="page-head group-head">
                <h1 className="wrap">{known === undefined ? name.kind : causeOfGroup(known)}</h1>
              </header>
            ) : (
              <GroupHead group={group} />
            )}
            {/* The work goes on, and tells what it did, when the last letter has left the list. */}
            <GroupWork name={name} group={group} work={work}>
              {group !== undefined && <OpenCase start={groupCase(group)} onAsk={askCase} />}
            </GroupWork>
            <CanaryLine name={name} />
            {tried !== undefined && <FollowedRetry key={tried.id} letter={tried} />}
            {group === undefined ? (
              <div className="table-frame">
                <Nothing title="No dead letters left in this group." icon={<MailCheck aria-hidden="true" />}>
                  <p>All were retried or dropped. Those that fail again will reappear.</p>
                </Nothing>
              </div>
            ) : (
              <Letters name={name} chosenId={filters.letter} onChoose={onLetter} onRetried={setTried} />
            )}
          </>
        )}
      </Answer>
      <AskedCase start={asked} onClose={() => askCase(undefined)} />
    </div>
  );
}

function GroupHead({ group }: { group: DeadLetterGroup }) {
  const { story_id: storyId, story_name: storyName, agent_id: actionId } = group;
  return (
    <header className="page-head group-head">
      <h1 className="wrap" title={group.error ?? undefined}>
        {causeOfGroup(group)}
      </h1>
      <p className="soft cut" title={`${isolated(actionNameOf(group))} in ${isolated(storyName)}`}>
        {isolated(actionNameOf(group))} in{' '}
        <Link href={`/stories/${storyId}?action=${actionId}`}>{isolated(storyName)}</Link>
      </p>
      <p className="group-facts soft">
        <strong className="bad">{nounWords(group.dead_letters, 'dead letter')}</strong>
        <span>
          <Time at={group.first_failed_at} prefix="first " />
        </span>
        <span>
          <Time at={group.last_failed_at} prefix="last " />
        </span>
        {group.retried > 0 && <span>{nounWords(group.retried, 'was', 'were')} retried before</span>}
        <Trend of={group} />
      </p>
    </header>
  );
}
