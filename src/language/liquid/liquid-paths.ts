import { analyzeSync, type Template, toValueSync } from 'liquidjs';
import type { TemplatePath } from '../template.js';
import { callsOf } from './filter-calls.js';
import { analysed, type ParsedTemplate, placesIn, type LiquidVariable } from './liquid-dependencies.js';
import { WHOLE_EVENT } from './markup.js';
import { IfTag, LiquidCaseTag } from './tags/condition-tags.js';

/** Returns the paths that a parsed Liquid text names, in order; `source` is the text as its author wrote it. */
export function liquidPaths(source: string, { templates, normalised }: ParsedTemplate): TemplatePath[] {
  const variables = Object.values(analysed(templates).globals).flat();
  if (variables.length === 0) return [];
  const placeOf = placesIn(source, normalised);
  const guarded = new Set([...guardedVariables(templates)].map(placeText));
  return variables
    .flatMap((variable) => {
      const steps = knownSteps(variable);
      if (steps.length === 0 || steps[0] === WHOLE_EVENT) return [];
      return [{ steps, ...placeOf(variable), isGuarded: guarded.has(placeText(variable)) }];
    })
    .toSorted((one, other) => one.line - other.line || one.column - other.column);
}

/** Returns the segments up to the first that is computed. */
function knownSteps({ segments }: LiquidVariable): (string | number)[] {
  const computed = segments.findIndex((step) => typeof step !== 'string' && typeof step !== 'number');
  return segments.slice(0, computed === -1 ? undefined : computed) as (string | number)[];
}

function placeText({ location: { row, col } }: LiquidVariable): string {
  return `${row}:${col}`;
}

function* guardedVariables(templates: Template[]): Generator<LiquidVariable> {
  for (const template of guardsIn(templates)) {
    yield* Object.values(analyzeSync([template], { partials: false }).variables).flat();
  }
}

/** Yields conditions with all that is in them, and what has a default; none of one inside another. */
function* guardsIn(templates: Template[]): Generator<Template> {
  const pending = [...templates];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const isCondition = next instanceof IfTag || next instanceof LiquidCaseTag;
    if (isCondition || [...callsOf(next)].some(({ name }) => name === 'default')) yield next;
    else if (next.children !== undefined) {
      pending.push(...toValueSync<Template[]>(next.children(false, true)));
    }
  }
}
