import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import type { Place } from '../story-data.js';

const StartDialog = lazy(async () => ({ default: (await import('./start-dialog.js')).StartDialog }));

/** Starts a run of the story or the draft with a payload. */
export function StartButton({ story, place }: { story: ActiveStory; place: Place }) {
  const [isOpen, setOpen] = useState(false);
  const isOff = place.draftId === undefined && story.disabled;
  return (
    <>
      <Button
        disabled={isOff}
        title={isOff ? 'The story is disabled.' : undefined}
        onClick={() => setOpen(true)}
      >
        <Play aria-hidden="true" /> Start
      </Button>
      {isOpen && (
        <Suspense>
          <StartDialog story={story} place={place} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
