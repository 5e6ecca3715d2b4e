import { useMay } from '../../../api/signed-in.js';
import { type Place, useStory } from '../story-data.js';
import { type Guard, guardsOf } from '../story-guards.js';

/** The rights of a person over the tests of a story. */
interface TestRights {
  mayRun: boolean;
  mayWrite: boolean;
  /** Why tests may not be changed here, whoever asks; undefined: they may, or the person may not write at all. */
  guard: Guard | undefined;
}

/** Returns what the signed-in person may do with the tests of a story, or of a draft: a draft has a lock of its own. */
export function useTestRights({ storyId, draftId }: Place): TestRights {
  const story = useStory(draftId ?? storyId).data;
  const may = useMay('write', story?.team_id);
  const guard = story === undefined ? undefined : guardsOf(story)[0];
  return { mayRun: may, mayWrite: may && guard === undefined, guard: may ? guard : undefined };
}
