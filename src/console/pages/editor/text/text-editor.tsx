import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createTextMirror, type TextMirror } from '../../../inspector/text-field/text-mirror.js';
import type { TextScope } from '../../../story-model/text/story-text.js';
import { FORMATS } from '../../../text/formats/formats.js';
import type { FormatName } from '../../../text/formats/text-format.js';
import { Button } from '../../../ui/form/button.js';
import { useEditor, useRun, useView } from '../editor-context.js';
import { keyOfText } from '../view-store.js';
import { createTextSession, type TextSession, type TextState } from './text-session.js';
import styles from './text-view.module.css';

interface TextEditorProps {
  scope: TextScope;
  format: FormatName;
  label: string;
  /** Whether it fills its place, instead of growing to some lines. */
  isTall?: boolean;
}

/** A part of the story as text. Another part, and a text that is brought back, is another text. */
export function TextEditor(props: TextEditorProps) {
  const restored = useView((state) => state.restored);
  return <OneText key={`${restored} ${keyOfText(props.scope, props.format)}`} {...props} />;
}

function OneText({ scope, format, label, isTall = false }: TextEditorProps) {
  const { store, view, readOnly } = useEditor();
  const run = useRun();
  const frame = useRef<HTMLDivElement>(null);
  const [parts, setParts] = useState<{ mirror: TextMirror; session: TextSession }>();
  const [state, setState] = useState<TextState & { line?: number | undefined }>();
  /** Whether the text cannot be read. */
  const isUnread = useRef(false);
  const of = keyOfText(scope, format);

  const open = useEffectEvent((parent: HTMLElement) => {
    const now: { mirror?: TextMirror; state?: TextState } = {};
    const tell = (next: TextState) => {
      now.state = next;
      if (next.unread !== undefined) {
        view.getState().holdText({ ...next.unread, scope, format, isShown: true });
      } else if (isUnread.current) view.getState().dropText(of);
      isUnread.current = next.unread !== undefined;
      setState({ ...next, line: now.mirror?.setFault(next.fault) });
    };
    const held = view.getState().heldTexts.get(of);
    isUnread.current = held !== undefined;
    const session = createTextSession({
      store,
      format: FORMATS[format],
      scope,
      held,
      run,
      onText: (text) => now.mirror?.setText(text),
      onState: tell,
    });
    const mirror = createTextMirror({
      parent,
      text: session.text,
      format,
      label,
      isReadOnly: readOnly !== undefined,
      isTall,
      onText: session.type,
      onLeave: session.leave,
    });
    now.mirror = mirror;
    if (now.state !== undefined) tell(now.state);
    return { mirror, session };
  });
  const close = useEffectEvent(({ mirror, session }: { mirror: TextMirror; session: TextSession }) => {
    session.stop();
    mirror.destroy();
    const held = view.getState().heldTexts.get(of);
    if (isUnread.current && held !== undefined) view.getState().holdText({ ...held, isShown: false });
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
      {readOnly !== undefined && isTall && <p className={styles['note']}>{readOnly}</p>}
      <div ref={frame} className={isTall ? styles['text'] : undefined} />
      {fault !== undefined && (
        <div className={styles['fault']}>
          <p className="bad wrap grow" role="alert">
            Line {state?.line}: {fault.message.replace(/\.?$/, '.')} The story stays as it is.
            {state?.isBehind && ' It was changed elsewhere in the meantime.'}
          </p>
          <Button onClick={() => parts?.mirror.goTo(fault.at)}>Go to line</Button>
          <Button onClick={() => parts?.session.reset()}>Discard text</Button>
        </div>
      )}
    </>
  );
}
