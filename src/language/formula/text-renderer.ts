import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { isRecord, listOf, textOf } from '../values/values.js';
import { type Evaluator, holds, type Variables } from './evaluation/evaluator.js';
import type { FormulaBudget } from './evaluation/formula-budget.js';
import { faultAt } from './formula-fault.js';
import { Lambda } from './functions/formula-function.js';
import type { TextPart } from './parsing/syntax-tree.js';

interface PartsRender {
  evaluator: Evaluator;
  budget: FormulaBudget;
  mostCharacters?: number | undefined;
}

/** Renders parts to text: fills in pills and executes blocks. */
export function renderParts(
  parts: TextPart[],
  { evaluator, budget, mostCharacters = MAX_OUTPUT_CHARACTERS }: PartsRender,
): string {
  const output: string[] = [];
  let length = 0;

  function write(text: string): void {
    length += text.length;
    if (length > mostCharacters) {
      throw new TemplateError(`The result is longer than ${mostCharacters} characters`);
    }
    output.push(text);
  }

  function render(rendered: TextPart[], variables: Variables | undefined): void {
    for (const part of rendered) {
      budget.step();
      if (part.kind === 'text') write(part.text);
      else if (part.kind === 'pill') write(shown(evaluator.evaluate(part.expression, variables), part.at));
      else if (part.kind === 'if') render(chosen(part, evaluator, variables), variables);
      else loop(part, variables);
    }
  }

  function loop(part: TextPart & { kind: 'for' }, outer: Variables | undefined): void {
    const items = itemsOf(evaluator.evaluate(part.collection, outer));
    for (const [index, value] of items.entries()) {
      const forLoop = { name: 'FORLOOP', value: positionIn(items.length, index), outer };
      render(part.parts, { name: part.variable, value, outer: forLoop });
    }
  }

  try {
    render(parts, undefined);
  } catch (error) {
    throw faultAt(0, error);
  }
  return output.join('');
}

function chosen(
  { branches }: TextPart & { kind: 'if' },
  evaluator: Evaluator,
  variables: Variables | undefined,
): TextPart[] {
  const branch = branches.find(
    ({ condition }) => condition === undefined || holds(evaluator.evaluate(condition, variables)),
  );
  return branch?.parts ?? [];
}

/** Returns the elements of a list; for an object `{key, value}` objects, as in LOOP; none for NULL. */
function itemsOf(collection: unknown): unknown[] {
  if (!isRecord(collection) || collection instanceof Lambda) return listOf(collection);
  return Object.entries(collection).map(([key, value]) => ({ key, value }));
}

function positionIn(length: number, index: number) {
  return {
    index: index + 1,
    index0: index,
    rindex: length - index,
    rindex0: length - index - 1,
    first: index === 0,
    last: index === length - 1,
    length,
  };
}

function shown(value: unknown, at: number): string {
  try {
    if (value instanceof Lambda) throw new TemplateError('A LAMBDA cannot be shown as text');
    return textOf(value);
  } catch (error) {
    throw faultAt(at, error);
  }
}
