import { type FilteredValueToken, Output, type Template, toValueSync, TypeGuards, Value } from 'liquidjs';

type FilterToken = FilteredValueToken['filters'][number];

/** A filter as a template calls it. */
export interface LiquidFilterCall {
  name: string;
  /** A named argument is a pair of its name and value. */
  args: FilterToken['args'];
  /** The start of its tag in the text that liquidjs has parsed. */
  offset: number;
}

/** Yields the calls of filters in outputs and tags, at any depth; in no particular order. */
export function* filterCalls(templates: readonly Template[]): Generator<LiquidFilterCall> {
  const pending = [...templates];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield* callsOf(next);
    if (next.children !== undefined) pending.push(...toValueSync<Template[]>(next.children(false, true)));
  }
}

/** Yields the calls of filters in an output or a tag itself. */
export function* callsOf(template: Template): Generator<LiquidFilterCall> {
  const offset = template.token.begin;
  for (const value of valuesOf(template)) {
    for (const { name, args } of callsIn(value)) yield { name, args, offset };
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
