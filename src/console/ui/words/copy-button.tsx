import { Copy } from 'lucide-react';
import { Button } from '../form/button.js';
import { say } from '../overlay/toasts.js';

/** Copies a text. Browsers refuse that on an origin without TLS that is not this machine; then it says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied.'),
      () => say('The browser did not let it be copied.', 'bad'),
    );
  return (
    <Button aria-label={label} onClick={() => void (navigator.clipboard ? copy() : refuse())}>
      <Copy aria-hidden="true" /> Copy
    </Button>
  );
}

function refuse() {
  say('Browsers copy only over https.', 'bad');
}
