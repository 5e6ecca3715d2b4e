import { wordsOf } from '../../../story-model/commands/selection-commands.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { isolated } from '../../../text/isolated.js';
import { Button } from '../../../ui/form/button.js';
import { CopyButton } from '../../../ui/words/copy-button.js';
import { useEditorPlace } from '../editor-address.js';
import { useEdited, useEditor, useView } from '../editor-context.js';
import styles from '../editor.module.css';
import { INSPECTOR_COVERS_PX } from '../inspector-focus.js';
import { type HeldText, keyOfText } from '../view-store.js';

/** Tells of texts that could not be read when they were left: what they say is not in the story. */
export function HeldTexts() {
  const held = useView(({ heldTexts }) => heldTexts);
  return [...held].map(([key, text]) => (text.isShown ? null : <Held key={key} held={text} />));
}

function Held({ held }: { held: HeldText }) {
  const { storyId, view } = useEditor();
  const [place, go] = useEditorPlace(storyId);
  const words = useEdited(({ draft }) => wordsIn(draft, held));
  const { scope, format, text } = held;
  const drop = () => view.getState().dropText(keyOfText(scope, format));
  const show = () => {
    const { choose, showWholeText } = view.getState();
    if (scope !== 'story' && 'options' in scope) {
      choose({ actions: [scope.options] });
      // The text leaves no room for the action in a narrow window.
      if (place.view === 'text' && innerWidth < INSPECTOR_COVERS_PX) go({ view: 'outline' });
      return;
    }
    if (scope !== 'story') choose(scope);
    showWholeText(scope === 'story');
    go({ view: 'text', format });
  };
  return (
    <div className={styles['unsaved']} role="status">
      <span className="grow">
        The text of {words ?? 'parts that are gone'} cannot be read as {format === 'json' ? 'JSON' : 'YAML'}.
        It is not in the story.
      </span>
      <CopyButton text={text} noun="the text" />
      <Button onClick={drop}>Discard text</Button>
      {words !== undefined && (
        <Button look="main" onClick={show}>
          Show
        </Button>
      )}
    </div>
  );
}

/** Returns what a text is about; undefined: all of it is gone. */
function wordsIn(draft: StoryDraft, { scope }: HeldText): string | undefined {
  if (scope === 'story') return 'the story';
  const { actions = [], links = [], notes = [] } = 'options' in scope ? { actions: [scope.options] } : scope;
  const words = wordsOf(draft, {
    actions: actions.filter((key) => draft.actions.has(key)),
    links: links.filter((key) => draft.links.has(key)),
    notes: notes.filter((key) => draft.notes.has(key)),
  });
  return words === '' ? undefined : isolated(words);
}
