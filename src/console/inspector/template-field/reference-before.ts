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

const STEP =
  /\.?(?:[A-Za-z_@]\w*|"(?:[^"\\]|\\.)*")|\.\d+|\[\s*(?:-?\d+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]/y;
/** The beginning of a bracket that is not closed yet. */
const OPENING = /\[\s*["']?/y;

/**
 * Returns the reference at the end of this code: `receive.body.na` has two steps, and `na` is being written. It looks at each
 * character once: code that a stranger wrote is as fast as any other.
 */
export function referenceBefore(code: string): Reference {
  const end = Math.max(code.lastIndexOf(']'), code.lastIndexOf('"'), code.lastIndexOf("'"));
  let steps: string[] = [];
  for (let at = 0; at < code.length; ) {
    const step = matchAt(STEP, code, at);
    if (step !== undefined) {
      steps.push(step);
      at += step.length;
      continue;
    }
    const opening = matchAt(OPENING, code, at);
    if (opening !== undefined && end < at + opening.length) {
      return {
        steps: steps.map(stepOf),
        partial: code.slice(at + opening.length),
        from: at,
        inBracket: true,
      };
    }
    if (code.charAt(at) === '.' && at === code.length - 1) break;
    steps = [];
    at += 1;
  }
  const last = steps.at(-1);
  if (last === undefined || !code.endsWith(last) || /[\]"]$/.test(last)) {
    return { steps: steps.map(stepOf), partial: '', from: code.length, inBracket: false };
  }
  const partial = last.replace(/^\./, '');
  return {
    steps: steps.slice(0, -1).map(stepOf),
    partial,
    from: code.length - partial.length,
    inBracket: false,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function stepOf(text: string): Step {
  const inside = text.replace(/^\.|^\[\s*|\s*\]$/g, '');
  if (/^-?\d+$/.test(inside)) return Number(inside);
  if (!/^["']/.test(inside)) return inside;
  const quoted = inside.slice(1, -1);
  return quoted.replaceAll(/\\(.)/g, '$1');
}
