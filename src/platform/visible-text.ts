/** Controls (C0 and C1), other separators of lines, and characters that turn the direction of a text. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const UNSEEN_IN_LINES = /(?![\n\t])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a text of others for a place in a line: what could move the cursor, hide, forge or turn text is written as
 * `\u001b`.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, written);
}

/** The same for a text whose line ends and tabs are ours. JSON stays the same JSON. */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, written);
}

function written(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
