/** Shortens a text for a message that quotes it: it may be as long as a template or an event. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
