import type { LucideIcon } from 'lucide-react';

/** A story that the palette starts or switches, after a question. */
export interface StoryToAsk {
  verb: 'start' | 'disable' | 'enable';
  id: number;
  name: string;
}

/** One line of the palette: what it is, and what choosing it does. */
export interface Hit {
  /** Tells it from all others. */
  key: string;
  name: string;
  kind: string;
  icon: LucideIcon;
  does: { path: string } | { text: string } | { ask: StoryToAsk };
}

/** Returns a line that leads to a page. */
export const place = (path: string, line: Omit<Hit, 'key' | 'does'>): Hit => ({
  key: path,
  does: { path },
  ...line,
});
