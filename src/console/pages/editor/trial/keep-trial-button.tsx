import { ShieldCheck } from 'lucide-react';
import { useLocation } from 'wouter';
import type { CreateTrialBody } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { testPath } from '../../story/story-address.js';
import { useStory } from '../../story/story-data.js';
import { type KeptStart, useKeepRun } from '../../story/tests/tests-data.js';
import { useTestRights } from '../../story/tests/use-test-rights.js';
import { useEditor } from '../editor-context.js';

interface KeepTrialButtonProps {
  /** The request of the trial. */
  body: CreateTrialBody;
  /** The name of the saved payload that was tried; undefined: none was. */
  sampleName: string | undefined;
  /** It cannot be kept now. */
  isHeld: boolean;
}

/** Keeps what a trial began with, its responses and what came of them as a test, and opens it. */
export function KeepTrialButton({ body, sampleName, isHeld }: KeepTrialButtonProps) {
  const { storyId, draftId } = useEditor();
  const place = { storyId, draftId };
  const [, go] = useLocation();
  const story = useStory(storyId).data;
  const { mayWrite } = useTestRights(place);
  const keeping = useKeepRun(place, ({ name }) => go(testPath(storyId, draftId, name)));
  const start = startOf(body);
  if (!mayWrite || start === undefined || story === undefined) return null;
  const name = sampleName === undefined ? story.name : `${story.name}: ${sampleName}`;
  return (
    <div>
      <Button
        disabled={isHeld || keeping.isPending}
        title="The sample, the responses and what the actions did become a test of the story"
        onClick={() => keeping.mutate({ start, name })}
      >
        <ShieldCheck aria-hidden="true" /> {keeping.isPending ? 'Keeping…' : 'Keep as a test'}
      </Button>
    </div>
  );
}

/** Returns the start of a test; undefined for a trial in the middle of a run, which no test can begin with. */
function startOf({ run_guid: run, event, event_id: eventId, action, responses }: CreateTrialBody) {
  if (eventId !== undefined && eventId !== null) return undefined;
  const given: Pick<KeptStart, 'responses'> = responses === undefined ? {} : { responses };
  if (run !== undefined) return { ...given, run_guid: run };
  return { ...given, event: event ?? {}, ...(action !== undefined && { action }) };
}
