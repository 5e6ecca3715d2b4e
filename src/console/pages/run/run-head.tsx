import { useQueryClient } from '@tanstack/react-query';
import { CircleStop, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Run, RunDetails } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { ofKind } from '../../api/keys.js';
import { useMutation } from '../../api/use-mutation.js';
import { Badge } from '../../ui/words/badge.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { copyText } from '../../ui/words/copy-text.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { nounWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { Time } from '../../ui/words/time.js';
import { say } from '../../ui/overlay/toasts.js';
import { RunStateBadge } from '../runs/run-state-badge.js';
import { shortGuid, runSourceWords } from '../runs/run-words.js';
import { useMayChange, useStory } from '../story/story-data.js';
import { KeepTestButton } from './keep-test-button.js';
import { TrialButton } from './trial/trial-button.js';
import type { Shown } from './run-address.js';

type HeadRun = Omit<RunDetails, 'events'>;

interface RunHeadProps {
  run: HeadRun;
  view: Shown['view'];
  onView: (view: Shown['view']) => void;
}

/** The head of a run: its story, its state, and the buttons for the whole run. */
export function RunHead({ run, view, onView }: RunHeadProps) {
  const story = useStory(run.story_id).data;
  return (
    <header className="story-head run-head">
      <div className="grow story-title">
        <h1 className="cut">
          <Link href="/runs" className="soft">
            Runs
          </Link>
          <span className="faint"> / </span>
          <Link href={`/stories/${run.story_id}`}>{story?.name ?? `Story ${run.story_id}`}</Link>
          <span className="faint"> / </span>
          <span title={run.guid}>{shortGuid(run.guid)}</span>
        </h1>
        {run.subject !== null && (
          <p className="run-subject cut" title={run.subject}>
            {run.subject}
          </p>
        )}
        <RunMarks run={run} />
      </div>
      <div className="row" role="group" aria-label="View">
        {(['timeline', 'canvas'] as const).map((each) => (
          <Button
            key={each}
            look="quiet"
            className={view === each ? 'view-chosen' : ''}
            aria-pressed={view === each}
            onClick={() => onView(each)}
          >
            {each === 'timeline' ? 'Timeline' : 'Canvas'}
          </Button>
        ))}
      </div>
      <RunActions run={run} />
    </header>
  );
}

function RunMarks({ run }: { run: HeadRun }) {
  return (
    <div className="row row-wrap faint">
      <RunStateBadge run={run} />
      {run.archived && <Badge>from the archive</Badge>}
      {run.draft_name !== null && <Badge>draft {run.draft_name}</Badge>}
      <span>{runSourceWords(run)}</span>
      <Time at={run.created_at} />
      {run.duration !== null && run.duration >= 1 && <span>took {spanWords(run.duration * 1000)}</span>}
      <span>{nounWords(run.event_count, 'event')}</span>
      {run.open_delivery_count > 0 && <span>{nounWords(run.open_delivery_count, 'step')} to come</span>}
      {run.dead_letter_count > 0 && (
        <span className="bad">{nounWords(run.dead_letter_count, 'failure')}</span>
      )}
    </div>
  );
}

function RunActions({ run }: { run: HeadRun }) {
  const client = useQueryClient();
  const mayChange = useMayChange(run.story_id) === true;
  const [asks, setAsks] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ofKind('runs') });
  const cancelling = useMutation({
    mutationFn: () => api.stories.runs.cancel({ id: run.story_id, guid: run.guid }),
    onSuccess: () => say('Run cancelled.'),
    onSettled: refresh,
  });
  return (
    <>
      <TrialButton run={run} />
      <KeepTestButton run={run} />
      {mayChange && run.status === 'running' && (
        <Button look="danger" disabled={cancelling.isPending} onClick={() => setAsks(true)}>
          <CircleStop aria-hidden="true" /> Cancel
        </Button>
      )}
      <IconButton label="Copy link to this run" onClick={() => void copyText(location.href, 'link')}>
        <Link2 />
      </IconButton>
      {asks && (
        <CancelDialog
          run={run}
          onClose={() => setAsks(false)}
          onCancel={() => {
            setAsks(false);
            cancelling.mutate();
          }}
        />
      )}
    </>
  );
}

function CancelDialog(props: {
  run: Pick<Run, 'guid'> & { open_delivery_count: number };
  onClose: () => void;
  onCancel: () => void;
}) {
  const { run, onClose, onCancel } = props;
  return (
    <Dialog
      title="Cancel the run?"
      about={`${nounWords(run.open_delivery_count, 'step')} of it will not run, and runs it started are cancelled too.`}
      onClose={onClose}
    >
      <footer className="dialog-foot">
        <Button onClick={onClose}>Keep running</Button>
        <Button look="danger" onClick={onCancel}>
          Cancel the run
        </Button>
      </footer>
    </Dialog>
  );
}
