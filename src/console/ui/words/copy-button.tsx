import { Copy } from 'lucide-react';
import { Button } from '../form/button.js';
import { copyText } from './copy-text.js';

interface CopyButtonProps {
  text: string;
  /** The text in a sentence: `the key`. */
  noun: string;
  /** Whether it has the focus when its dialog opens. */
  isFirst?: boolean;
}

/** Copies a text. */
export function CopyButton({ text, noun, isFirst = false }: CopyButtonProps) {
  return (
    <Button
      aria-label={`Copy ${noun}`}
      {...(isFirst && { 'data-first': true })}
      onClick={() => void copyText(text, noun)}
    >
      <Copy aria-hidden="true" /> Copy
    </Button>
  );
}
