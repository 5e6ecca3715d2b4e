import type { ReactNode } from 'react';

/** Returns a text with what stands between backticks as code. */
export function withCode(text: string): ReactNode {
  // The pieces of one text never change their order.
  return text.split('`').map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
}
