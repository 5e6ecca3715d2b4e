import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isSame } from '../../story-model/same-value.js';
import { parseExact } from '../../text/exact-json.js';
import type { JsonMirror } from './json-mirror.js';

interface JsonFieldProps {
  label: string;
  value: unknown;
  isReadOnly: boolean;
  /** Is told each value that the text has while it is typed. Returns why the value cannot be taken; undefined: it is. */
  onValue: (value: unknown) => string | undefined;
  onLeave: () => void;
}

/** A value as JSON text. While the text is no JSON, the value stays as it was. */
export function JsonField(props: JsonFieldProps) {
  const { label, value, isReadOnly } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<JsonMirror>();
  const [fault, setFault] = useState<string>();
  /** The value of the text; another value than that came from elsewhere. */
  const written = useRef(value);

  const onText = useEffectEvent((text: string) => {
    try {
      written.current = parseExact(text);
    } catch (error) {
      return setFault(error instanceof Error ? error.message : 'This is not JSON.');
    }
    setFault(props.onValue(written.current));
  });
  const onLeave = useEffectEvent(() => props.onLeave());
  const first = useEffectEvent(() => ({ text: textOf(value), label, isReadOnly }));
  const follow = useEffectEvent((mirror: JsonMirror, next: unknown) => {
    if (isSame(written.current, next)) return;
    written.current = next;
    setFault(undefined);
    mirror.setText(textOf(next));
  });

  useEffect(() => {
    let made: JsonMirror | undefined;
    let isGone = false;
    const open = async () => {
      const { createJsonMirror } = await import('./json-mirror.js');
      if (isGone || frame.current === null) return;
      made = createJsonMirror({
        ...first(),
        parent: frame.current,
        onText: (text) => onText(text),
        onLeave: () => onLeave(),
      });
      setView(made);
    };
    open().catch(() => !isGone && setFault('The editor could not be loaded. Reload the page.'));
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  useEffect(() => {
    if (view !== undefined) follow(view, value);
  }, [view, value]);
  return (
    <div>
      <div ref={frame} />
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          Not taken over: {fault}
        </p>
      )}
    </div>
  );
}

const textOf = (value: unknown) => JSON.stringify(value, null, 2);
