import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './json-field.module.css';
import type { TextMirror } from './text-mirror.js';

/** What other pieces do with a field of JSON. */
export interface JsonFieldHandle {
  /** Returns the text of the value at the cursor; undefined: there is none. */
  valueText: () => string | undefined;
  /** Puts another value in its place. */
  putValue: (value: string) => void;
  focus: () => void;
}

interface JsonFieldProps {
  label: string;
  text: string;
  /** What is wrong with the text, and where; undefined: nothing. */
  fault?: { message: string; at: number } | undefined;
  isReadOnly?: boolean;
  /** Whether it is as high as its frame allows, instead of growing to some lines. */
  isTall?: boolean;
  onText: (text: string) => void;
  onLeave?: () => void;
  ref?: Ref<JsonFieldHandle>;
}

/** A field for JSON. The editor is loaded when the first one is shown; a plain field stands there until then. */
export function JsonField(props: JsonFieldProps) {
  // Whether it may be written may become known later, which makes it anew.
  return <OneField key={`${props.isReadOnly === true}`} {...props} />;
}

function OneField(props: JsonFieldProps) {
  const { label, text, fault, isReadOnly = false, isTall = false, onText, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [mirror, setMirror] = useState<TextMirror>();
  const told = useEffectEvent((next: string) => props.onText(next));
  const left = useEffectEvent(() => props.onLeave?.());
  const options = useEffectEvent((parent: HTMLElement) => ({
    parent,
    text: props.text,
    label,
    isReadOnly,
    isTall,
  }));
  useImperativeHandle(ref, () => ({
    valueText: () => mirror?.valueText(),
    putValue: (value) => mirror?.putValue(value),
    focus: () => frame.current?.querySelector<HTMLElement>('.cm-content')?.focus(),
  }));
  useEffect(() => {
    let made: TextMirror | undefined;
    let isGone = false;
    const open = async () => {
      const { createTextMirror } = await import('./text-mirror.js');
      if (isGone || frame.current === null) return;
      made = createTextMirror({ ...options(frame.current), format: 'json', onText: told, onLeave: left });
      if (plain.current !== null && plain.current === document.activeElement) {
        made.goTo(plain.current.selectionStart);
      }
      // At once: a plain field that got the focus now would take it along when it goes.
      flushSync(() => setMirror(made));
    };
    // A chunk that cannot be loaded leaves the plain field, which works.
    open().catch(() => undefined);
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  useEffect(() => mirror?.setText(text), [mirror, text]);
  useEffect(() => void mirror?.setFault(fault), [mirror, fault]);
  return (
    <div className={`${styles['field']} ${isTall ? styles['tall'] : ''}`}>
      {mirror === undefined && (
        <textarea
          ref={plain}
          className="input text-area"
          aria-label={label}
          aria-invalid={fault !== undefined}
          value={text}
          readOnly={isReadOnly}
          rows={Math.min(12, text.split('\n').length)}
          spellCheck={false}
          onChange={({ target }) => onText(target.value)}
          onBlur={() => props.onLeave?.()}
        />
      )}
      <div ref={frame} className={styles['frame']} />
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          Line {text.slice(0, fault.at).split('\n').length}: {fault.message.replace(/\.?$/, '.')}
        </p>
      )}
    </div>
  );
}
