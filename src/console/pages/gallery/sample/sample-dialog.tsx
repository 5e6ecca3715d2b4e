import '../gallery.css';
import { FlaskConical, Play } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Field } from '../../../ui/form/field.js';
import { Failed, Loading } from '../../../ui/states.js';
import { say } from '../../../ui/overlay/toasts.js';
import { TrialResult } from '../../dead-letters/trial/trial-result.js';
import { GALLERY } from '../gallery-stories.js';
import { type GalleryStory, isCalled } from '../gallery-story.js';
import { LackedValues } from './lacked-values.js';
import { sendSample, trySample } from './sample-data.js';
import { firstEvent, sampleFault } from './sample-input.js';

type Place = Pick<ActiveStory, 'id' | 'team_id' | 'name'>;

interface SampleDialogProps {
  story: Place;
  /** The story of the gallery; nothing is shown for one that is not there. */
  slug: string;
  onClose: () => void;
}

/** The sample event of a story of the gallery, ready for a trial or a run. */
export function SampleDialog({ story, slug, onClose }: SampleDialogProps) {
  const ready = GALLERY.find((each) => each.slug === slug);
  if (ready === undefined) return null;
  return (
    <Dialog
      wide
      title={`Sample for ${story.name}`}
      about={
        isCalled(ready)
          ? 'An example of what its webhook may receive. Nothing starts until you choose.'
          : 'It starts on its schedule, or now if you choose.'
      }
      onClose={onClose}
    >
      <Sample {...{ story, ready, onClose }} />
    </Dialog>
  );
}

function Sample({ story, ready, onClose }: { story: Place; ready: GalleryStory; onClose: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState(ready.event);
  const mayRun = useMay('write', story.team_id);
  const fault = sampleFault(text);
  const event = firstEvent(text, isCalled(ready));
  const trying = useMutation({
    mutationFn: () => trySample(story.id, event, ready.answers),
    meta: { quiet: true },
  });
  const sending = useMutation({
    mutationFn: () => sendSample(story.id, event),
    onSuccess: ({ guid }) => {
      say('Run started.');
      go(`/runs/${story.id}/${guid}`);
    },
  });
  const isBusy = fault !== undefined || trying.isPending || sending.isPending;
  return (
    <>
      <div className="dialog-body stack">
        {isCalled(ready) && (
          <Field name="Request body">
            <textarea
              className="input sample-text"
              rows={Math.min(14, text.split('\n').length + 1)}
              spellCheck={false}
              value={text}
              aria-invalid={fault !== undefined}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
        )}
        {fault !== undefined && (
          <p className="bad wrap" role="alert">
            {fault}
          </p>
        )}
        <LackedValues teamId={story.team_id} needs={ready.needs} />
        {trying.isPending && <Loading />}
        {trying.error !== null && <Failed error={trying.error} />}
        {trying.data !== undefined && !trying.isPending && <TrialResult trial={trying.data} />}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
        <Button disabled={isBusy} onClick={() => trying.mutate()}>
          <FlaskConical aria-hidden="true" /> Run trial
        </Button>
        {mayRun && (
          <Button look="main" disabled={isBusy} onClick={() => sending.mutate()}>
            <Play aria-hidden="true" /> Start the run
          </Button>
        )}
      </footer>
    </>
  );
}
