import { useQueryClient } from '@tanstack/react-query';
import { Play, Repeat2, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/console-api.js';
import { ofKind } from '../../../api/keys.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { say } from '../../../ui/overlay/toasts.js';
import { RunAgainDialog } from '../again/run-again-dialog.js';
import { useMayChange } from '../../story/story-data.js';
import { CompareButton } from '../../event/compare-button.js';
import type { StepPlace } from './step-place.js';

/** The buttons of a step: emit again, run from here, try again, compare. */
export function StepActions({ step, input, storyId }: StepPlace) {
  const client = useQueryClient();
  const mayChange = useMayChange(storyId) === true;
  const [isOpen, setOpen] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ofKind('runs') });
  const emitting = useMutation({
    mutationFn: (id: number) => api.events.reemit({ id }),
    onSuccess: () => say('Event emitted again.'),
    onSettled: refresh,
  });
  const retrying = useMutation({
    mutationFn: (id: number) => api.deadLetters.retry({ id }),
    onSuccess: () => say('Retry started.'),
    onSettled: refresh,
  });
  const { event, dead } = step;
  return (
    <div className="row row-wrap step-actions">
      {mayChange && dead !== undefined && (
        <Button disabled={retrying.isPending} onClick={() => retrying.mutate(dead.id)}>
          <RotateCcw aria-hidden="true" /> Retry this step
        </Button>
      )}
      {mayChange && event !== undefined && (
        <Button
          disabled={emitting.isPending}
          title="Its receivers process the same event again in this run"
          onClick={() => emitting.mutate(event.id)}
        >
          <Repeat2 aria-hidden="true" /> Emit again
        </Button>
      )}
      {mayChange && (
        <Button title="Start a new run with this or another payload" onClick={() => setOpen(true)}>
          <Play aria-hidden="true" /> Run from here…
        </Button>
      )}
      {event !== undefined && <CompareButton id={event.id} actionId={event.action_id} storyId={storyId} />}
      {isOpen && (
        <RunAgainDialog step={step} input={input} storyId={storyId} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
