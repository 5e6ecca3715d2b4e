import { TemplateError, type TemplateProblem } from '../../platform/text/template-error.js';
import { positionsIn } from '../values/position.js';
import { textOf } from '../values/values.js';
import { walkFormula } from './evaluation/formula-walk.js';
import { patternFrom } from './functions/pattern-functions.js';
import type { CallNode, Expression, FormulaText } from './parsing/syntax-tree.js';

/** Most patterns with a fault that the check of one text reports. */
const MAX_PROBLEMS = 100;

interface PlacedFault {
  message: string;
  /** Offset of the function in the text. */
  at: number;
}

/** Returns the constant patterns of a parsed text that cannot be used: functions fail with them whatever the event. */
export function constantPatternProblems(text: FormulaText, source: string): TemplateProblem[] {
  const found: PlacedFault[] = [];
  for (const { part } of walkFormula(text)) {
    const fault = part.kind === 'call' ? patternFault(part) : undefined;
    if (fault === undefined) continue;
    found.push(fault);
    if (found.length === MAX_PROBLEMS) break;
  }
  const positionOf = positionsIn(source);
  return found
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, message }) => ({ message, kind: 'pattern', ...positionOf(at) }));
}

function patternFault({ function: called, args, at }: CallNode): PlacedFault | undefined {
  const places = called.takes.split(', ');
  const place = places.indexOf('pattern');
  if (place === -1) return undefined;
  const pattern = constantText(args[place]);
  const modifiers = constantText(args[places.indexOf('modifiers?')]);
  if (pattern === undefined || modifiers === undefined) return undefined;
  try {
    patternFrom(pattern, modifiers);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return { at, message: `${called.name}: ${error.message}` };
    throw error;
  }
}

/** Returns the text of a constant, empty for an argument that is not given; undefined for what an event decides. */
function constantText(argument: Expression | undefined): string | undefined {
  if (argument === undefined || argument.kind === 'absent') return '';
  return argument.kind === 'literal' ? textOf(argument.value) : undefined;
}
