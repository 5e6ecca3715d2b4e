/** The start of a text that may be as long as a template or an event, for a message that quotes it. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
