import { type Liquid, type Template, TypeGuards } from 'liquidjs';
import { argumentFaults } from '../filters/argument-counts.js';
import { patternFault } from '../patterns.js';
import type { TemplateError, TemplateProblem } from '../../platform/text/template-error.js';
import { positionsIn } from '../values/position.js';
import { shortened } from '../../platform/text/shortened.js';
import { filterCalls, type LiquidFilterCall } from './filter-calls.js';
import type { NormalisedTemplate } from './ruby/normalise.js';

/** Most unknown filters, and most calls of filters with a fault, that the check of one text reports. */
const MAX_PROBLEMS = 100;

interface ParsedTemplate {
  normalised: NormalisedTemplate;
  templates: Template[];
  failure?: TemplateError;
}

/** Returns the faults of a parsed Liquid text: its syntax error, unknown filters, and calls of filters that always fail. */
export function liquidProblems(liquid: Liquid, source: string, parsed: ParsedTemplate): TemplateProblem[] {
  const { failure, normalised } = parsed;
  const syntax = failure?.problem ?? { message: failure?.message ?? '', line: 1, column: 1 };
  return [
    ...(failure === undefined ? failingCalls(source, parsed) : [syntax]),
    ...unknownFilters(liquid, source, normalised),
  ];
}

function unknownFilters(liquid: Liquid, source: string, { filters }: NormalisedTemplate): TemplateProblem[] {
  const positionOf = positionsIn(source);
  return filters
    .filter(({ name }) => liquid.filters[name] === undefined)
    .slice(0, MAX_PROBLEMS)
    .map(({ name, offset }) => ({
      message: `Unknown filter "${shortened(name, 100)}": the value is unchanged`,
      ...positionOf(offset),
      harmless: true as const,
    }));
}

function failingCalls(source: string, { templates, normalised }: ParsedTemplate): TemplateProblem[] {
  const found: { offset: number; fault: CallFault }[] = [];
  for (const call of filterCalls(templates)) {
    const fault = callFault(call);
    if (fault === undefined) continue;
    found.push({ offset: normalised.originalOffset(call.offset), fault });
    if (found.length === MAX_PROBLEMS) break;
  }
  const positionOf = positionsIn(source);
  return found
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, fault }) => ({ ...fault, ...positionOf(offset) }));
}

type CallFault = Pick<TemplateProblem, 'message' | 'kind'>;

function callFault({ name, args }: LiquidFilterCall): CallFault | undefined {
  const fault = argumentFaults(name)(args);
  if (fault !== undefined) return { message: `${name}: ${fault}`, kind: 'filter' };
  const [pattern] = args;
  if (name !== 'regex_replace' || !TypeGuards.isQuotedToken(pattern)) return undefined;
  const unusable = patternFault(pattern.content);
  return unusable === undefined ? undefined : { message: `${name}: ${unusable}`, kind: 'pattern' };
}
