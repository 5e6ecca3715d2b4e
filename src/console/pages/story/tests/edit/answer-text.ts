import { parseExact } from '../../../../text/exact-json.js';

/** Returns the body of a response as its field shows it: a text as it is, unless it would be read as JSON. */
export function textOfAnswer(answer: unknown): string {
  if (answer === undefined) return '';
  return typeof answer === 'string' && !isJson(answer) ? answer : JSON.stringify(answer, null, 2);
}

/** Returns the body of a response that a field holds: the value of JSON, any other text as it is; undefined: none. */
export function answerOfText(text: string): unknown {
  if (text.trim() === '') return undefined;
  return isJson(text) ? parseExact(text) : text;
}

/** Whether a text looks like JSON with a fault: it is sent as text then. */
export const looksBroken = (text: string): boolean => /^\s*[[{]/.test(text) && !isJson(text);

function isJson(text: string): boolean {
  try {
    parseExact(text);
    return true;
  } catch {
    return false;
  }
}
