import './why.css';
import { CircleX, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RunDetails, RunFailure } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { useKeys } from '../../../keys/use-keys.js';
import { isolated } from '../../../text/isolated.js';
import { Button } from '../../../ui/form/button.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { spanWords } from '../../../ui/words/since.js';
import { exactWords, Time } from '../../../ui/words/time.js';
import { useNow } from '../../../ui/words/use-now.js';
import type { CaseStart } from '../../cases/new-case-dialog.js';
import { AskedCase, OpenCase } from '../../cases/open-case.js';
import type { GroupName } from '../../dead-letters/letter-filters.js';
import { isOpen, useCanary } from '../../dead-letters/letters-data.js';
import { CanaryLine } from '../../dead-letters/retry/canary-line.js';
import { GroupWork, ProgressLine, useGroupWork } from '../../dead-letters/retry/group-work.js';
import { useStory } from '../../story/story-data.js';
import { OwnerLink } from '../../story/owner-name.js';
import { viewPath } from '../../story/story-address.js';
import { caseName, caseText, causeOf, firstLine, groupOf, groupPathOf, momentWords } from './why-words.js';

type FailedRun = Pick<
  RunDetails,
  'story_id' | 'guid' | 'failure' | 'dead_letter_count' | 'created_at' | 'draft_id'
>;

interface WhyBannerProps {
  run: FailedRun;
  /** Is called to show the step that failed. */
  onStep: () => void;
}

/** Why a run failed, since when the same happens, what was changed before, and what can be done. */
export function WhyBanner({ run, onStep }: WhyBannerProps) {
  const [asked, askCase] = useState<CaseStart>();
  return (
    <>
      <Failure run={run} onStep={onStep} onCase={askCase} />
      <AskedCase start={asked} onClose={() => askCase(undefined)} />
    </>
  );
}

interface AskingForCase {
  onCase: (start: CaseStart) => void;
}

function Failure({ run, onStep, onCase }: WhyBannerProps & AskingForCase) {
  const work = useGroupWork();
  const [retried, setRetried] = useState<GroupName>();
  const { failure } = run;
  if (failure === null) {
    // A work on all letters goes on when that of this run has left the list.
    return (
      <>
        {work.progress !== undefined && (
          <div className="why done">
            <div>
              <ProgressLine progress={work.progress} />
              {work.progress.faults.map((fault) => (
                <p key={fault} className="bad wrap">
                  {fault}
                </p>
              ))}
            </div>
            {work.progress.state === 'works' && <Button onClick={work.stop}>Stop</Button>}
          </div>
        )}
        {retried !== undefined && <Canary name={retried} isOurs />}
      </>
    );
  }
  const group = groupOf(run.story_id, failure);
  return (
    <>
      <section className="why" aria-label="Why it failed">
        <CircleX aria-hidden="true" />
        <div className="why-words">
          <p className="why-cause" title={failure.error ?? undefined}>
            {isolated(causeOf(failure))}
          </p>
          <p className="why-facts soft">
            <span>
              <button type="button" className="why-step" onClick={onStep}>
                {isolated(failure.agent_name ?? 'A deleted action')}
              </button>{' '}
              failed after {nounWords(failure.attempts, 'attempt')}, <Time at={failure.failed_at} />
              {run.dead_letter_count > 1 &&
                `; ${nounWords(run.dead_letter_count - 1, 'other failure')} in this run`}
            </span>
            <Same storyId={run.story_id} failure={failure} />
            <LastChange run={run} failure={failure} />
            <Help storyId={run.story_id} />
          </p>
        </div>
        <WhyActions
          run={run}
          failure={failure}
          work={work}
          onCanary={() => setRetried(group)}
          onCase={onCase}
        />
      </section>
      <Canary name={retried ?? group} isOurs={retried !== undefined} />
    </>
  );
}

/** The canary retry of a group while it runs; its result too, if it was started here. */
function Canary({ name, isOurs }: { name: GroupName; isOurs: boolean }) {
  const canary = useCanary(name).data;
  if (!isOurs && !isOpen(canary)) return null;
  return (
    <div className="why done">
      <CanaryLine name={name} />
    </div>
  );
}

function Same({ storyId, failure }: { storyId: number; failure: RunFailure }) {
  const now = useNow();
  const { dead_letters: count, first_failed_at: first, complete } = failure.same;
  return (
    <Link href={groupPathOf(storyId, failure)} title={exactWords(first)}>
      {count > 1
        ? `Same error ${countWords(count)}${complete ? '' : '+'} times since ${momentWords(first, now)}`
        : 'The only dead letter with this error'}
    </Link>
  );
}

/** The owner of the story, and the beginning of its runbook. */
function Help({ storyId }: { storyId: number }) {
  const story = useStory(storyId).data;
  if (story === undefined) return null;
  const { owner, runbook } = story;
  const line = firstLine(runbook);
  return (
    <>
      {owner !== null && (
        <span>
          Owner: <OwnerLink owner={owner} />
        </span>
      )}
      {line !== '' && (
        <Link href={viewPath(storyId, 'settings')} title={runbook.slice(0, 600)}>
          Runbook: {isolated(line)}
        </Link>
      )}
    </>
  );
}

/** Most failures begin with a change: how long before the run it was, and whose. */
function LastChange({ run, failure: { story_change: change } }: { run: FailedRun; failure: RunFailure }) {
  if (change === null) return <span>No change to the story before this run</span>;
  const { version_id: id, number, name, changed_at: at, by } = change;
  const draft = run.draft_id === null ? '' : `&draft=${run.draft_id}`;
  return (
    <Link href={`/stories/${run.story_id}/edit/versions?version=${id}${draft}`} title={exactWords(at)}>
      {agoWords(Date.parse(run.created_at) - Date.parse(at))}: {isolated(name || `version ${number}`)}
      {by !== null && ` by ${isolated(by.name)}`}
    </Link>
  );
}

/** The times are whole seconds. */
function agoWords(ms: number): string {
  return ms < 1_000
    ? 'Story changed just before this run'
    : `Story last changed ${spanWords(ms)} before this run`;
}

interface WhyActionsProps extends AskingForCase {
  run: FailedRun;
  failure: RunFailure;
  work: ReturnType<typeof useGroupWork>;
  /** Is called when a canary retry of its group has begun. */
  onCanary: () => void;
}

function WhyActions({ run, failure, work, onCanary, onCase }: WhyActionsProps) {
  const story = useStory(run.story_id).data;
  const mayWrite = useMay('write', story?.team_id);
  const count = run.dead_letter_count;
  const retrying = useChange(() => api.deadLetters.retryMany({ story_run_guid: run.guid }), {
    did: 'Retry started.',
    old: ['runs', 'dead-letters'],
  });
  const mayWork = mayWrite && story !== undefined;
  useKeys('page', {
    // A key that is held would retry what fails again at once.
    r: ({ repeat }) => !repeat && mayWork && !retrying.isPending && retrying.mutate(undefined),
  });
  if (!mayWork) return null;
  const { same } = failure;
  const failed = { run, failure, storyName: story.name };
  return (
    <div className="why-actions">
      <Button look="main" disabled={retrying.isPending} onClick={() => retrying.mutate(undefined)}>
        <RotateCcw aria-hidden="true" /> {count === 1 ? 'Retry' : `Retry ${nounWords(count, 'failure')}`}
      </Button>
      {same.dead_letters > count && (
        <GroupWork
          isBrief
          name={groupOf(run.story_id, failure)}
          group={{ ...same, team_id: story.team_id }}
          work={work}
          onCanary={onCanary}
        />
      )}
      <OpenCase
        start={{ teamId: story.team_id, name: caseName(failed), description: caseText(failed) }}
        onAsk={onCase}
      />
    </div>
  );
}
