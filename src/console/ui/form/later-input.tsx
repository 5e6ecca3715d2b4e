import { type InputHTMLAttributes, useEffect, useRef, useState } from 'react';
import { Input } from './field.js';
import { useLater } from './use-later.js';

interface LaterInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  value: string;
  /** Is told once the text has not changed for a moment. */
  onText: (text: string) => void;
}

/** A field whose text leads to a request: one for a word, not one for each letter. */
export function LaterInput({ value, onText, ...rest }: LaterInputProps) {
  const [text, setText] = useState(value);
  const later = useLater(text);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => {
    if (later !== value) latest.current(later);
    // A change from outside alone is taken over below.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [later]);
  useEffect(() => setText(value), [value]);
  return <Input value={text} onChange={({ target }) => setText(target.value)} {...rest} />;
}
