/** A part of a real export that even a lax reading cannot take: its author's mistake, not ours. */
export interface AuthorError {
  file: string;
  /** Name of the action. */
  action: string;
  /** Path as `fabula story check` gives it: `payload.fields[0].text`. */
  option: string;
  /** Its fault, and why it cannot be read in a better way. */
  reason: string;
}

/**
 * The faults that the corpus may have, by hand. The lax readings of docs/build/liquid.md and docs/build/formulas.md take
 * every text of the real exports. An entry that is not a fault any more fails the corpus.
 */
export const AUTHOR_ERRORS: readonly AuthorError[] = [
  {
    file: 'v04-loops-and-liquid.json',
    action: 'Email Action',
    option: 'recipients',
    reason: 'the only recipient is <your_email>, to be replaced: each event is a dead letter',
  },
  {
    file: 'v04-prompts.json',
    action: 'Email Action',
    option: 'recipients',
    reason: 'the only recipient is <your_email_here>, to be replaced: each event is a dead letter',
  },
];
