/** One step of a reference: a key, or the place of an element. */
export type Step = string | number;

/** The reference that stands before the cursor. */
export interface Reference {
  /** The steps before the one that is being written. */
  steps: readonly Step[];
  /** The step that is being written, as far as it is. */
  partial: string;
  /** Where the text of that step begins, counted in the code; a bracket belongs to it. */
  from: number;
  /** It stands in a bracket: `a["od`. */
  inBracket: boolean;
}

const STEPS =
  /\.?(?:[A-Za-z_@]\w*|"(?:[^"\\]|\\.)*")|\.\d+|\[\s*(?:-?\d+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]/;
const REFERENCE = new RegExp(`(?:${STEPS.source})*(?:\\.|\\[\\s*["']?[^\\]"']*)?$`);

/** Returns the reference at the end of this code: `receive.body.na` has two steps, and `na` is being written. */
export function referenceBefore(code: string): Reference {
  const { 0: text, index } = REFERENCE.exec(code) ?? { 0: '', index: code.length };
  const found = stepsFromStart(text);
  const last = found.at(-1);
  const rest = last === undefined ? text : text.slice(last.index + last[0].length);
  if (rest.startsWith('[')) {
    return {
      steps: found.map(stepOf),
      partial: rest.replace(/^\[\s*["']?/, ''),
      from: index + text.length - rest.length,
      inBracket: true,
    };
  }
  if (rest === '.' || last === undefined) {
    return { steps: found.map(stepOf), partial: '', from: code.length, inBracket: false };
  }
  const partial = last[0].replace(/^\./, '');
  const isWhole = /[\]"]$/.test(last[0]);
  return isWhole
    ? { steps: found.map(stepOf), partial: '', from: code.length, inBracket: false }
    : {
        steps: found.slice(0, -1).map(stepOf),
        partial,
        from: code.length - partial.length,
        inBracket: false,
      };
}

/** The steps that follow each other from the beginning: what stands in an open bracket is none. */
function stepsFromStart(text: string): RegExpExecArray[] {
  const step = new RegExp(STEPS.source, 'y');
  const found: RegExpExecArray[] = [];
  for (let next = step.exec(text); next !== null; next = step.exec(text)) found.push(next);
  return found;
}

function stepOf([text]: readonly string[]): Step {
  const inside = (text ?? '').replace(/^\.|^\[\s*|\s*\]$/g, '');
  if (/^-?\d+$/.test(inside)) return Number(inside);
  if (!/^["']/.test(inside)) return inside;
  const quoted = inside.slice(1, -1);
  return quoted.replaceAll(/\\(.)/g, '$1');
}
