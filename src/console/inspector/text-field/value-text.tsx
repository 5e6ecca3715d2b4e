import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isSame } from '../../story-model/same-value.js';
import { type FormatName, TextFault, type TextFormat } from '../../text/formats/text-format.js';
import type { TextMirror } from './text-mirror.js';

interface ValueTextProps {
  label: string;
  value: unknown;
  format: FormatName;
  isReadOnly: boolean;
  /** Is told each value that the text has while it is typed. Returns why the value cannot be taken; undefined: it is. */
  onValue: (value: unknown) => string | undefined;
  onLeave: () => void;
}

/** A value as text, in one format as long as it is shown. While the text cannot be read, the value stays as it was. */
export function ValueText(props: ValueTextProps) {
  const { label, value, format, isReadOnly } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<{ mirror: TextMirror; form: TextFormat }>();
  const [fault, setFault] = useState<string>();
  /** The value of the text; another value than that came from elsewhere. */
  const written = useRef(value);

  const onText = useEffectEvent((text: string, form: TextFormat, mirror: TextMirror) => {
    try {
      written.current = form.read(text).value;
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      return setFault(`line ${mirror.setFault(error)}: ${error.message}`);
    }
    mirror.setFault(undefined);
    setFault(props.onValue(written.current));
  });
  const onLeave = useEffectEvent(() => props.onLeave());
  const first = useEffectEvent(() => ({ value, label, format, isReadOnly }));
  const follow = useEffectEvent(
    ({ mirror, form }: { mirror: TextMirror; form: TextFormat }, next: unknown) => {
      if (isSame(written.current, next)) return;
      written.current = next;
      setFault(undefined);
      mirror.setText(form.write(next));
      mirror.setFault(undefined);
    },
  );

  useEffect(() => {
    let made: TextMirror | undefined;
    let isGone = false;
    const open = async () => {
      const [{ createTextMirror }, { FORMATS }] = await Promise.all([
        import('./text-mirror.js'),
        import('../../text/formats/formats.js'),
      ]);
      if (isGone || frame.current === null) return;
      const { value: start, ...shown } = first();
      const form = FORMATS[shown.format];
      const mirror = createTextMirror({
        ...shown,
        parent: frame.current,
        text: form.write(start),
        onText: (text) => onText(text, form, mirror),
        onLeave: () => onLeave(),
      });
      made = mirror;
      setView({ mirror, form });
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
