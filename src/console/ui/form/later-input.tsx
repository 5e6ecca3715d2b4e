import type { InputHTMLAttributes, Ref } from 'react';
import { Input } from './field.js';
import { useLaterText } from './use-later.js';

interface LaterInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  ref?: Ref<HTMLInputElement>;
  value: string;
  /** Is told once the text has not changed for a moment. */
  onText: (text: string) => void;
}

/** A field whose text leads to a request: one for a word, not one for each letter. */
export function LaterInput({ value, onText, ...rest }: LaterInputProps) {
  const [text, setText] = useLaterText(value, onText);
  return <Input value={text} onChange={({ target }) => setText(target.value)} {...rest} />;
}
