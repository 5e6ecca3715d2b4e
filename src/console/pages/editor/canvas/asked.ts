/** What the canvas asks a person. */
export type Asked =
  | { kind: 'find' }
  | { kind: 'keys' }
  | { kind: 'step' }
  | { kind: 'link'; source: string }
  | { kind: 'links'; of: string }
  | { kind: 'end'; link: string; end: 'source' | 'receiver' };
