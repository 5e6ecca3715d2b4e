import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createTextMirror, type TextMirror } from '../../../inspector/text-field/text-mirror.js';
import type { TextScope } from '../../../story-model/text/story-text.js';
import { wordsOf } from '../../../story-model/commands/selection-commands.js';
import type { Selection, StoryDraft } from '../../../story-model/story-draft.js';
import { FORMATS } from '../../../text/formats/formats.js';
import type { FormatName } from '../../../text/formats/text-format.js';
import { Button } from '../../../ui/form/button.js';
import { useEditorPlace } from '../editor-address.js';
import { useEdited, useEditor, useRun, useView } from '../editor-context.js';
import { createTextSession, type TextSession, type TextState } from './text-session.js';
import styles from './text-view.module.css';

const FORMAT_WORDS: Record<FormatName, string> = { yaml: 'YAML', json: 'JSON' };

/** The story under edit as text: the whole of it, or what is chosen. */
export function TextView() {
  const { storyId } = useEditor();
  const [place, go] = useEditorPlace(storyId);
  const chosen = useView(({ selection }) => selection);
  const [isWhole, setWhole] = useState(false);
  const words = useEdited(({ draft }) => wordsOf(draft, presentIn(draft, chosen)));
  const format = place.format ?? 'yaml';
  const scope: TextScope = isWhole || words === '' ? 'story' : chosen;
  return (
    <section className={styles['view']} aria-label="Text">
      <div className={styles['bar']} role="toolbar" aria-label="Text">
        <div className="row" role="group" aria-label="Shown as text">
          <Button look="quiet" aria-pressed={scope === 'story'} onClick={() => setWhole(true)}>
            Whole story
          </Button>
          <Button
            look="quiet"
            aria-pressed={scope !== 'story'}
            disabled={words === ''}
            onClick={() => setWhole(false)}
          >
            <span className={styles['chosen']}>{words === '' ? 'Nothing chosen' : words}</span>
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
        key={`${format} ${JSON.stringify(scope)}`}
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

interface TextEditorProps {
  scope: TextScope;
  format: FormatName;
  label: string;
}

/** The text itself; a component has one scope and one format. */
function TextEditor({ scope, format, label }: TextEditorProps) {
  const { store, view, readOnly } = useEditor();
  const run = useRun();
  const frame = useRef<HTMLDivElement>(null);
  const [parts, setParts] = useState<{ mirror: TextMirror; session: TextSession }>();
  const [state, setState] = useState<TextState & { line?: number | undefined }>();
  const of = `${format} ${JSON.stringify(scope)}`;

  const open = useEffectEvent((parent: HTMLElement) => {
    const now: { mirror?: TextMirror; state?: TextState } = {};
    const { heldText } = view.getState();
    const tell = (next: TextState) => {
      now.state = next;
      setState({ ...next, line: now.mirror?.setFault(next.fault) });
    };
    const session = createTextSession({
      store,
      format: FORMATS[format],
      scope,
      held: heldText?.of === of ? heldText : undefined,
      run,
      onText: (text) => now.mirror?.setText(text),
      onState: tell,
    });
    if (heldText?.of === of) view.getState().holdText(undefined);
    const mirror = createTextMirror({
      parent,
      text: session.text,
      format,
      label,
      isReadOnly: readOnly !== undefined,
      isTall: true,
      onText: session.type,
      onLeave: session.leave,
    });
    now.mirror = mirror;
    if (now.state !== undefined) tell(now.state);
    return { mirror, session };
  });
  const close = useEffectEvent(({ mirror, session }: { mirror: TextMirror; session: TextSession }) => {
    const held = session.stop();
    if (held !== undefined) view.getState().holdText({ ...held, of });
    mirror.destroy();
  });
  useEffect(() => {
    if (frame.current === null) return undefined;
    const opened = open(frame.current);
    setParts(opened);
    return () => close(opened);
  }, []);

  const fault = state?.fault;
  return (
    <>
      {readOnly !== undefined && <p className={styles['note']}>{readOnly}</p>}
      <div ref={frame} className={styles['text']} />
      {fault !== undefined && (
        <div className={styles['fault']}>
          <p className="bad wrap grow" role="alert">
            Line {state?.line}: {fault.message.replace(/\.?$/, '.')} The story stays as it is.
            {state?.isBehind && ' It has changed elsewhere meanwhile.'}
          </p>
          <Button onClick={() => parts?.mirror.goTo(fault.at)}>Go to line</Button>
          <Button onClick={() => parts?.session.reset()}>Discard text</Button>
        </div>
      )}
    </>
  );
}
