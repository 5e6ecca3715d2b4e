import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { createFormulaLanguage } from '../../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../../src/language/liquid/liquid-language.js';
import type { TemplateLanguage, TemplateScope } from '../../../src/language/template.js';
import { templateScope } from '../template-scope.js';

/** The expected result of a case. */
export type Expected =
  /**
   * An error, by class (TemplateError unless given), whose message fits. Where it is the clock that stops it: what a
   * machine comes to that is fast enough.
   */
  | { stops: RegExp; error?: string; fastEnough?: JsonValue }
  /** Exactly this value: the attempt has reached nothing. */
  | { gives: JsonValue }
  /** A text that fits: what a check says. */
  | { says: RegExp };

/** One thing built to hang, grow or escape. */
export interface HostileCase {
  /** Its name; unique in its family. */
  name: string;
  /** Makes what it works on; not measured. */
  prepare: () => unknown;
  run: (prepared: never) => unknown;
  expected: Expected;
}

/** Cases that run in one process, and what the product says about how long one may take. */
export interface HostileFamily {
  name: string;
  /** The documented limit on the time of one case. */
  limitMs: number;
  cases: HostileCase[];
}

type WithEvent = Expected & { event?: () => JsonObject };

const liquidLanguage = createLiquidLanguage();
const formulaLanguage = createFormulaLanguage();

export function scopeOf(event: JsonObject): TemplateScope {
  return templateScope(event, {
    resources: new Map<string, JsonValue>([['r', { x: 1 }]]),
    credentials: new Map([['key', 'secret-value']]),
  });
}

/** Renders a Liquid text. */
export function liquid(name: string, text: string, given: WithEvent): HostileCase {
  return rendering(liquidLanguage, text, { name, ...given });
}

/** Renders a text with formulas. */
export function formula(name: string, text: string, given: WithEvent): HostileCase {
  return rendering(formulaLanguage, text, { name, ...given });
}

function rendering(
  language: TemplateLanguage,
  text: string,
  { name, event, ...expected }: WithEvent & { name: string },
): HostileCase {
  const run = (scope: TemplateScope) => language.render(text, scope);
  return { name, prepare: () => scopeOf(event?.() ?? {}), run, expected };
}

/** Checks a Liquid text, as an import does; gives the first thing that is said about it. */
export function checkedLiquid(name: string, text: string, expected: Expected): HostileCase {
  return { name, prepare: () => undefined, run: () => firstProblem(liquidLanguage, text), expected };
}

/** The same for a text with formulas. */
export function checkedFormula(name: string, text: string, expected: Expected): HostileCase {
  return { name, prepare: () => undefined, run: () => firstProblem(formulaLanguage, text), expected };
}

function firstProblem(language: TemplateLanguage, text: string): string {
  return language.check(text)[0]?.message ?? 'nothing is wrong';
}

/** Counts the names that a Liquid text needs, as the check of a story does. */
export function neededByLiquid(name: string, text: string, count: number): HostileCase {
  const run = () => liquidLanguage.dependencies(text).roots.length;
  return { name, prepare: () => undefined, run, expected: { gives: count } };
}

/** The same for a text with formulas. */
export function neededByFormula(name: string, text: string, count: number): HostileCase {
  const run = () => formulaLanguage.dependencies(text).roots.length;
  return { name, prepare: () => undefined, run, expected: { gives: count } };
}
