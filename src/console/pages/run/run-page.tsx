import '../story/story.css';
import './run.css';
import { useMemo, useState } from 'react';
import { useParams } from 'wouter';
import { isAbsent } from '../../text/problems.js';
import { NotFoundPage } from '../../ui/not-found-page.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Failed, Loading, Nothing } from '../../ui/states.js';
import { shortGuid } from '../runs/run-words.js';
import { useShown } from './run-address.js';
import { useRun } from './run-data.js';
import { RunHead } from './run-head.js';
import { stepsOf } from './run-tree.js';
import { RunView } from './run-view.js';
import { useChosenStep } from './use-chosen-step.js';
import { StepPanel } from './panel/step-panel.js';
import { WaitBanner } from './why/wait-banner.js';
import { WhyBanner } from './why/why-banner.js';

/** One run: its events as a tree with their times, its path on the canvas, and the details of each step. */
export function RunPage() {
  const { story, guid } = useParams<{ story: string; guid: string }>();
  const storyId = Number(story);
  useTitle(`Run ${shortGuid(guid)}`);
  const run = useRun(storyId, guid);
  const [shown, show] = useShown();
  const steps = useMemo(
    () => stepsIn(run.data?.pages ?? [], run.dataUpdatedAt),
    [run.data, run.dataUpdatedAt],
  );
  const first = run.data?.pages[0];
  const failed = useFailedStep(first?.failure?.dead_letter_id);
  // Whoever has closed the panel of the step that failed has seen it.
  const choose = (step: string) => show({ step: step === '' && failed !== '' ? 'none' : step });
  const chosen = useChosenStep(steps, shown.step || failed, (step) => show({ step }));
  if (first === undefined) {
    if (run.error && isAbsent(run.error)) return <NotFoundPage />;
    return run.error ? <Failed error={run.error} retry={run.refetch} /> : <Loading lines={8} />;
  }
  return (
    <div className="story run">
      <RunHead run={first} view={shown.view} onView={(view) => show({ view })} />
      <WhyBanner run={first} onStep={() => show({ step: failed, tab: '' })} />
      <WaitBanner run={first} />
      <div className="story-body">
        {steps.length === 0 ? (
          <Nothing title="This run has no events yet, or they were deleted." />
        ) : (
          <RunView
            run={first}
            steps={steps}
            view={shown.view}
            isWhole={!run.hasNextPage}
            chosen={chosen?.key ?? ''}
            onChoose={choose}
          />
        )}
        {chosen !== undefined && (
          <StepPanel
            step={chosen}
            input={first.input}
            storyId={storyId}
            guid={guid}
            isArchived={first.archived}
            tab={shown.tab}
            onTab={(tab) => show({ tab })}
            onClose={() => choose('')}
          />
        )}
      </div>
      {run.hasNextPage && (
        <footer className="run-more">
          <span className="faint grow">
            {nounWords(steps.length, 'step')} of {nounWords(first.meta.count, 'event')} loaded, oldest first.
          </span>
          <Button disabled={run.loadMore === undefined} onClick={run.loadMore}>
            {run.loadMore === undefined ? 'Loading…' : 'Load more'}
          </Button>
        </footer>
      )}
    </div>
  );
}

/** Returns the key of the step that failed; it stays the same while that is retried, so that the step can be followed. */
function useFailedStep(letterId: number | undefined): string {
  const [last, setLast] = useState(letterId);
  if (letterId !== undefined && letterId !== last) setLast(letterId);
  const id = letterId ?? last;
  return id === undefined ? '' : `dead-${id}`;
}

type Pages = NonNullable<ReturnType<typeof useRun>['data']>['pages'];

function stepsIn(pages: Pages, now: number) {
  const events = pages.flatMap(({ story_run_events: all }) => all);
  const { open_deliveries: open = [], dead_letters: dead = [], attempts = [] } = pages[0] ?? {};
  return stepsOf({ events, open, dead, attempts }, now);
}
