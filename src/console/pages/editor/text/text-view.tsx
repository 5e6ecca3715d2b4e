import type { TextScope } from '../../../story-model/text/story-text.js';
import { wordsOf } from '../../../story-model/commands/selection-commands.js';
import type { Selection, StoryDraft } from '../../../story-model/story-draft.js';
import type { FormatName } from '../../../text/formats/text-format.js';
import { Button } from '../../../ui/form/button.js';
import { useEditorPlace } from '../editor-address.js';
import { useEdited, useEditor, useView } from '../editor-context.js';
import { TextEditor } from './text-editor.js';
import styles from './text-view.module.css';

const FORMAT_WORDS: Record<FormatName, string> = { yaml: 'YAML', json: 'JSON' };

/** The story under edit as text: the whole of it, or what is chosen. */
export function TextView() {
  const { storyId, view } = useEditor();
  const [place, go] = useEditorPlace(storyId);
  const chosen = useView(({ selection }) => selection);
  const isWhole = useView(({ isWholeText }) => isWholeText);
  const words = useEdited(({ draft }) => wordsOf(draft, presentIn(draft, chosen)));
  const format = place.format ?? 'yaml';
  const scope: TextScope = isWhole || words === '' ? 'story' : chosen;
  return (
    <section className={styles['view']} aria-label="Text">
      <div className={styles['bar']} role="toolbar" aria-label="Text">
        <div className="row" role="group" aria-label="Shown as text">
          <Button
            look="quiet"
            aria-pressed={scope === 'story'}
            onClick={() => view.getState().showWholeText(true)}
          >
            Whole story
          </Button>
          <Button
            look="quiet"
            aria-pressed={scope !== 'story'}
            disabled={words === ''}
            onClick={() => view.getState().showWholeText(false)}
          >
            <span className={styles['chosen']}>{words === '' ? 'Nothing selected' : words}</span>
          </Button>
        </div>
        <div className="row" role="group" aria-label="Format">
          {(['yaml', 'json'] as const).map((name) => (
            <Button
              key={name}
              look="quiet"
              aria-pressed={format === name}
              onClick={() => go({ format: name })}
            >
              {FORMAT_WORDS[name]}
            </Button>
          ))}
        </div>
      </div>
      <TextEditor
        isTall
        scope={scope}
        format={format}
        label={`${scope === 'story' ? 'Story' : words} as ${FORMAT_WORDS[format]}`}
      />
    </section>
  );
}

function presentIn(draft: StoryDraft, selection: Selection): Selection {
  const { actions, links, notes } = selection;
  return {
    actions: (actions ?? []).filter((key) => draft.actions.has(key)),
    links: (links ?? []).filter((key) => draft.links.has(key)),
    notes: (notes ?? []).filter((key) => draft.notes.has(key)),
  };
}
