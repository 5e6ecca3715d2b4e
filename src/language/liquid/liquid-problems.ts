import {
  type FilteredValueToken,
  type Liquid,
  Output,
  type Template,
  toValueSync,
  TypeGuards,
  Value,
} from 'liquidjs';
import { argumentFaults } from '../filters/argument-counts.js';
import { patternFault } from '../patterns.js';
import type { TemplateError, TemplateProblem } from '../../platform/text/template-error.js';
import { positionsIn } from '../values/position.js';
import { shortened } from '../../platform/text/shortened.js';
import type { NormalisedTemplate } from './ruby/normalise.js';

type FilterToken = FilteredValueToken['filters'][number];

/** A filter as a template calls it. */
interface LiquidFilterCall {
  name: string;
  /** A named argument is a pair of its name and value. */
  args: FilterToken['args'];
  /** The start of its tag in the text that liquidjs has parsed. */
  offset: number;
}

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

/** Yields the calls of filters in outputs and tags, at any depth; in no particular order. */
function* filterCalls(templates: readonly Template[]): Generator<LiquidFilterCall> {
  const pending = [...templates];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const offset = next.token.begin;
    for (const value of valuesOf(next)) {
      for (const { name, args } of callsIn(value)) yield { name, args, offset };
    }
    if (next.children !== undefined) pending.push(...toValueSync<Template[]>(next.children(false, true)));
  }
}

function valuesOf(template: Template): Iterable<unknown> {
  return template instanceof Output ? [template.value] : (template.arguments?.() ?? []);
}

/** Yields the filters of a value, then those of the values in parentheses inside it. */
function* callsIn(value: unknown): Generator<Pick<FilterToken, 'name' | 'args'>> {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!(next instanceof Value) && !TypeGuards.isFilteredValueToken(next)) continue;
    for (const filter of next.filters) {
      yield filter;
      pending.push(...filter.args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)));
    }
    pending.push(...next.initial.postfix);
  }
}
