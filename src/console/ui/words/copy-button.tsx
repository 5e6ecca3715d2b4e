import { Copy } from 'lucide-react';
import { Button } from '../form/button.js';
import { copyText } from './copy-text.js';

/** Copies a text; `noun` names it: `the key`. */
export function CopyButton({ text, noun }: { text: string; noun: string }) {
  return (
    <Button aria-label={`Copy ${noun}`} onClick={() => void copyText(text, noun)}>
      <Copy aria-hidden="true" /> Copy
    </Button>
  );
}
