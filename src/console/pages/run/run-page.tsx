import '../story/story.css';
import './run.css';
import { useMemo } from 'react';
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
  const chosen = useChosenStep(steps, shown.step, (step) => show({ step }));
  const first = run.data?.pages[0];
  if (first === undefined) {
    if (run.error && isAbsent(run.error)) return <NotFoundPage />;
    return run.error ? <Failed error={run.error} retry={run.refetch} /> : <Loading lines={8} />;
  }
  return (
    <div className="story">
      <RunHead run={first} view={shown.view} onView={(view) => show({ view })} />
      <div className="story-body">
        {steps.length === 0 ? (
          <Nothing title="This run has no events yet, or they were deleted." />
        ) : (
          <RunView
            storyId={storyId}
            steps={steps}
            view={shown.view}
            chosen={chosen?.key ?? ''}
            onChoose={(step) => show({ step })}
          />
        )}
        {chosen !== undefined && (
          <StepPanel
            step={chosen}
            input={first.input}
            storyId={storyId}
            guid={guid}
            tab={shown.tab}
            onTab={(tab) => show({ tab })}
            onClose={() => show({ step: '' })}
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

type Pages = NonNullable<ReturnType<typeof useRun>['data']>['pages'];

function stepsIn(pages: Pages, now: number) {
  const events = pages.flatMap(({ story_run_events: all }) => all);
  return stepsOf({ events, open: pages[0]?.open_deliveries ?? [], dead: pages[0]?.dead_letters ?? [] }, now);
}
