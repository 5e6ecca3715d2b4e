/** Marks and letters that decide the direction of text around them: those of scripts from right to left. */
const TURNING =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const BEGINS = /[\u2066-\u2068]/;
/** Begins a part whose direction is that of its own first letter. */
const BEGIN = '\u2068';
const END = '\u2069';

/**
 * Returns a text of users as a part of a sentence: whatever marks of direction it holds, the words after it stay where they
 * are. For strings such as titles, labels and messages; elements isolate what they hold by themselves (`base.css`, `<bdi>`).
 */
export function isolated(text: string): string {
  return TURNING.test(text) ? `${BEGIN}${balanced(text)}${END}` : text;
}

/** Takes away each end of a part that did not begin, and ends those that did. Other marks end with the part they are in. */
function balanced(text: string): string {
  let open = 0;
  let kept = '';
  for (const character of text) {
    if (character === END && open === 0) continue;
    if (character === END) open -= 1;
    if (BEGINS.test(character)) open += 1;
    kept += character;
  }
  return kept + END.repeat(open);
}
