import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { RunDetails } from '../../../../clients/typescript/api.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { testPath } from '../story/story-address.js';
import { type Place, useDrafts, useStory } from '../story/story-data.js';
import { type Guard, GUARD_WORDS } from '../story/story-guards.js';
import { nameOfRun, useKeepRun } from '../story/tests/tests-data.js';
import { useTestRights } from '../story/tests/use-test-rights.js';

type KeptRun = Pick<RunDetails, 'guid' | 'story_id' | 'draft_id' | 'subject' | 'status'>;

const WORDS = 'Keep as a test';
const ABOUT = 'The event, the responses and what the actions did become a test of the story';

/** Keeps the run as a test of its story and opens the test; of a story that only drafts may change, as one of a draft. */
export function KeepTestButton({ run }: { run: KeptRun }) {
  const [isOpen, setOpen] = useState(false);
  const place = { storyId: run.story_id, draftId: run.draft_id ?? undefined };
  const { mayWrite, guard } = useTestRights(place);
  if (run.status === 'running') return null;
  if (mayWrite) return <KeepButton run={run} place={place} name={WORDS} />;
  if (guard === undefined) return null;
  return (
    <>
      <Button title={ABOUT} onClick={() => setOpen(true)}>
        <ShieldCheck aria-hidden="true" /> {WORDS}…
      </Button>
      {isOpen && <DraftDialog run={run} guard={guard} onClose={() => setOpen(false)} />}
    </>
  );
}

function KeepButton({ run, place, name }: { run: KeptRun; place: Place; name: string }) {
  const [, go] = useLocation();
  const story = useStory(place.storyId).data;
  const keeping = useKeepRun(place, (test) => go(testPath(place.storyId, place.draftId, test.name)));
  if (story === undefined) return null;
  return (
    <Button
      disabled={keeping.isPending}
      title={ABOUT}
      onClick={() => keeping.mutate({ start: { run_guid: run.guid }, name: nameOfRun(story.name, run) })}
    >
      <ShieldCheck aria-hidden="true" />
      <span className="cut">{keeping.isPending ? 'Keeping…' : name}</span>
    </Button>
  );
}

function DraftDialog({ run, guard, onClose }: { run: KeptRun; guard: Guard; onClose: () => void }) {
  const drafts = useDrafts(run.story_id).data ?? [];
  return (
    <Dialog title="Keep the run as a test of a draft" about={GUARD_WORDS[guard]} onClose={onClose}>
      <div className="dialog-body stack">
        {drafts.length === 0 && <p>The story has no drafts. Edit it to begin one.</p>}
        {drafts.map(({ id, name }) => (
          <KeepButton key={id} run={run} place={{ storyId: run.story_id, draftId: id }} name={name} />
        ))}
      </div>
    </Dialog>
  );
}
