import { Answer } from '../../../ui/states.js';
import { StoryVersions } from '../../editor/publish/versions/story-versions.js';
import { useStory } from '../story-data.js';
import type { TabProps } from './tab-props.js';

/** The versions of the story, or of the chosen draft. */
export function VersionsTab({ place: { storyId, draftId } }: TabProps) {
  return (
    <Answer of={useStory(draftId ?? storyId)} lines={8}>
      {(edited) => <StoryVersions key={edited.id} storyId={storyId} draftId={draftId} edited={edited} />}
    </Answer>
  );
}
