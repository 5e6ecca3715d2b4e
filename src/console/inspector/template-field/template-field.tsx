import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TemplateMark, TemplateView, TemplateViewOptions } from './code-mirror.js';
import type { Knowledge } from './completions.js';
import styles from './template-field.module.css';

/** What other pieces do with a field. */
export interface TemplateFieldHandle {
  insert: (text: string) => void;
  focus: () => void;
}

interface TemplateFieldProps {
  label: string;
  text: string;
  knowledge: Knowledge;
  /** Remarks about the text, from the server. */
  faults: readonly TemplateMark[];
  hint?: string;
  isReadOnly?: boolean;
  onText: (text: string) => void;
  /** The focus has left the field: the next change is a step of its own. */
  onLeave?: () => void;
  onFocus?: () => void;
  ref?: Ref<TemplateFieldHandle>;
}

/** A field for a template. Its language may become known later than its text, which makes it anew. */
export function TemplateField(props: TemplateFieldProps) {
  return <FieldOfLanguage key={props.knowledge.language} {...props} />;
}

/** The editor is loaded when the first field is shown; a plain field stands there until then. */
function FieldOfLanguage(props: TemplateFieldProps) {
  const { label, text, faults, hint, isReadOnly = false, onText, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [view, setView] = useState<TemplateView>();
  const told = useEffectEvent((next: string) => props.onText(next));
  const left = useEffectEvent(() => props.onLeave?.());
  const focused = useEffectEvent(() => props.onFocus?.());
  const known = useEffectEvent(() => props.knowledge);
  const options = useEffectEvent(
    (parent: HTMLElement): TemplateViewOptions => ({
      parent,
      text: props.text,
      label,
      isReadOnly,
      ...(hint !== undefined && { hint }),
      knowledge: () => known(),
      onText: (next) => told(next),
      onLeave: () => left(),
      onFocus: () => focused(),
    }),
  );
  useImperativeHandle(ref, () => ({
    insert: (inserted) => view?.insert(inserted),
    focus: () => view?.focus(),
  }));
  useEffect(() => {
    let made: TemplateView | undefined;
    let isGone = false;
    const open = async () => {
      const { createTemplateView } = await import('./code-mirror.js');
      if (isGone || frame.current === null) return;
      made = createTemplateView(options(frame.current));
      // Whoever is typing in the plain field already goes on where the cursor is.
      if (plain.current !== null && plain.current === document.activeElement) {
        made.focus(plain.current.selectionStart);
      }
      // At once: a plain field that got the focus now would take it along when it goes.
      flushSync(() => setView(made));
    };
    // A chunk that cannot be loaded leaves the plain field, which works.
    open().catch(() => undefined);
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  useEffect(() => view?.setText(text), [view, text]);
  useEffect(() => view?.setFaults(faults), [view, faults]);
  useEffect(() => view?.setReadOnly(isReadOnly), [view, isReadOnly]);
  useEffect(() => view?.setLabel(label), [view, label]);
  return (
    <div className={styles['field']}>
      {view === undefined && (
        <textarea
          ref={plain}
          className="input text-area"
          aria-label={label}
          value={text}
          readOnly={isReadOnly}
          placeholder={hint}
          spellCheck={false}
          onChange={({ target }) => onText(target.value)}
        />
      )}
      <div ref={frame} />
    </div>
  );
}
