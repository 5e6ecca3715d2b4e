import { lazy, type ReactNode, Suspense } from 'react';
import { api } from '../../../api/console-api.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Question } from '../../../ui/overlay/question.js';
import { isolated } from '../../../text/isolated.js';
import { DisableQuestion } from '../../../pages/story/disable/disable-question.js';
import { useEnabling } from '../../../pages/story/disable/use-enabling.js';
import { useStory } from '../../../pages/story/story-data.js';
import { Answer, Loading } from '../../../ui/states.js';
import type { StoryToAsk } from './palette-hit.js';

const StartDialog = lazy(async () => ({
  default: (await import('../../../pages/story/start/start-dialog.js')).StartDialog,
}));

/** The question of the palette before it starts or switches a story. */
export function StoryQuestion({ asked, onClose }: { asked: StoryToAsk; onClose: () => void }) {
  return asked.verb === 'start' ? (
    <StartQuestion asked={asked} onClose={onClose} />
  ) : (
    <SwitchQuestion asked={asked} onClose={onClose} />
  );
}

interface AskedProps {
  asked: StoryToAsk;
  onClose: () => void;
}

/** The dialog of the story's page: the action to start at, and the payload. Until it is there, a dialog says so. */
function StartQuestion({ asked: { id, name }, onClose }: AskedProps) {
  const story = useStory(id);
  const waiting = (content: ReactNode) => (
    <Dialog title={`Start ${isolated(name)}`} onClose={onClose}>
      <div className="dialog-body">{content}</div>
    </Dialog>
  );
  if (story.data === undefined) return waiting(<Answer of={story}>{() => null}</Answer>);
  return (
    <Suspense fallback={waiting(<Loading />)}>
      <StartDialog story={story.data} place={{ storyId: id, draftId: undefined }} onClose={onClose} />
    </Suspense>
  );
}

function SwitchQuestion({ asked: { id, name, verb }, onClose }: AskedProps) {
  const { isBusy, onSwitch, onYes } = useEnabling({
    name,
    set: async (disabled) => {
      await api.stories.update({ id, disabled });
      onClose();
    },
    old: ['story', 'stories', 'webhooks', 'schedules'],
  });
  if (verb === 'disable') {
    const place = { storyId: id, draftId: undefined };
    return <DisableQuestion place={place} name={name} isBusy={isBusy} onClose={onClose} onYes={onYes} />;
  }
  return (
    <Question
      title={`Enable ${isolated(name)}?`}
      about="Its webhooks and schedules start runs again, and paused work continues."
      button="Enable"
      isBusy={isBusy}
      onClose={onClose}
      onYes={() => onSwitch(false)}
    />
  );
}
