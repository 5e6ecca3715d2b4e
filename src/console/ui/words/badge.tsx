import './badge.css';
import type { ReactNode } from 'react';

/** How a state feels: the colour says it, and the text beside it too. */
export type Tone = 'ok' | 'running' | 'warn' | 'bad' | 'info' | 'plain';

/** A word or two about a thing. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}
