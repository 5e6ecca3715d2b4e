import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../platform/json.js';
import { valueOfText } from '../values/json-result.js';
import { CACHED_TEMPLATE_BYTES, CACHED_TEMPLATES } from '../limits.js';
import type { RenderOptions, TemplateLanguage, TemplateReferences, TemplateScope } from '../template.js';
import { TemplateError, type TemplateProblem } from '../../platform/text/template-error.js';
import { Evaluator } from './evaluation/evaluator.js';
import { FormulaBudget } from './evaluation/formula-budget.js';
import { formulaDependencies } from './formula-dependencies.js';
import { FormulaFault, toFormulaError } from './formula-fault.js';
import { PARSED_CHARACTER_BYTES } from './formula-limits.js';
import { positionsIn } from '../values/position.js';
import { textOf } from '../values/values.js';
import { patternFrom } from './functions/texts/pattern-functions.js';
import { formulaPaths } from './formula-paths.js';
import { jsonResult } from './evaluation/formula-result.js';
import { storyWorld } from './evaluation/formula-world.js';
import type { CallNode, Expression, FormulaText, TextPart } from './parsing/syntax-tree.js';
import { walkFormula } from './evaluation/formula-walk.js';
import { hasFormula, parseText } from './parsing/text-parser.js';
import { renderParts } from './text-renderer.js';

/** Most patterns with a fault that the check of one text reports. */
const MAX_PROBLEMS = 100;

interface Parsed {
  text: FormulaText;
  references: TemplateReferences;
  failure?: FormulaFault;
}

const NOTHING: FormulaText = { kind: 'text', parts: [] };

/** Creates the formula language of stories (spec §8.3, docs/build/formulas.md). Parsed texts are cached; rendering is synchronous. */
export function createFormulaLanguage(): TemplateLanguage {
  const parsedTexts = new LRUCache<string, Parsed>({
    max: CACHED_TEMPLATES,
    maxSize: CACHED_TEMPLATE_BYTES,
    sizeCalculation: ({ text }, source) => parsedBytes(text, source),
  });
  const parse = (text: string): Parsed => {
    const kept = parsedTexts.get(text);
    if (kept !== undefined) return kept;
    const parsed = parsedOrFailed(text);
    parsedTexts.set(text, parsed);
    return parsed;
  };
  return {
    name: 'formula',
    isTemplate: hasFormula,
    check: (text) => (hasFormula(text) ? problemsOf(text, parse(text)) : []),
    references: (text) => parse(text).references,
    dependencies: (text) => formulaDependencies(text, hasFormula(text) ? parse(text).text : NOTHING),
    paths: (text) => formulaPaths(text, hasFormula(text) ? parse(text).text : NOTHING),
    placesOf: (text, name) => (hasFormula(text) ? formulaPlaces(parse(text), name) : []),
    render(text, scope, renderOptions = {}) {
      if (!hasFormula(text)) return renderOptions.asValue === true ? valueOfText(text, renderOptions) : text;
      const { text: parsed, failure } = parse(text);
      try {
        if (failure !== undefined) throw failure;
        return renderParsed(parsed, { scope, renderOptions });
      } catch (error) {
        throw toFormulaError(error, text);
      }
    },
  };
}

/** Parses a text. One with a syntax error has no references, because it cannot be rendered either. */
function parsedOrFailed(source: string): Parsed {
  try {
    const text = parseText(source);
    return { text, references: referencesOf(text) };
  } catch (error) {
    if (!(error instanceof FormulaFault)) throw error;
    return { text: NOTHING, references: referencesOf(NOTHING), failure: error };
  }
}

/** Estimates the size of a parsed text, in bytes. */
function parsedBytes(text: FormulaText, source: string): number {
  let plain = 0;
  for (const { part } of walkFormula(text)) if (part.kind === 'text') plain += part.text.length;
  return 2 * source.length + PARSED_CHARACTER_BYTES * (source.length - plain) + 1;
}

function formulaPlaces({ text, failure }: Parsed, name: string): number[] | undefined {
  if (failure !== undefined) return undefined;
  const places: number[] = [];
  for (const { part, bound } of walkFormula(text)) {
    if (part.kind === 'reference' && part.name === name && !bound.has(name)) places.push(part.at);
  }
  return places.toSorted((one, other) => one - other);
}

function problemsOf(text: string, { text: parsed, failure }: Parsed): TemplateProblem[] {
  if (failure === undefined) return constantPatternProblems(parsed, text);
  const { problem, message } = toFormulaError(failure, text);
  return [problem ?? { message, line: 1, column: 1 }];
}

interface RenderInput {
  scope: TemplateScope;
  renderOptions: RenderOptions;
}

function renderParsed(text: FormulaText, { scope, renderOptions }: RenderInput): JsonValue {
  const budget = new FormulaBudget();
  const evaluator = new Evaluator(storyWorld(scope, renderOptions.variables), budget);
  const limit = { mostCharacters: renderOptions.mostCharacters };
  if (text.kind === 'formula')
    return jsonResult(evaluator.evaluate(text.expression), renderOptions.mostCharacters);
  if (renderOptions.asValue !== true) return renderParts(text.parts, { evaluator, budget, ...limit });
  const pill = onlyPill(text.parts);
  if (pill === undefined)
    return valueOfText(renderParts(text.parts, { evaluator, budget, ...limit }), renderOptions);
  const value = jsonResult(evaluator.evaluate(pill.expression), renderOptions.mostCharacters);
  return typeof value === 'string' ? valueOfText(value, renderOptions) : value;
}

/** Returns the pill of a text that contains nothing else; empty pills are ignored. */
function onlyPill(parts: TextPart[]) {
  const shown = parts.filter((part) => part.kind !== 'text' || part.text.trim() !== '');
  const [first] = shown;
  return shown.length === 1 && first?.kind === 'pill' ? first : undefined;
}

interface PlacedFault {
  message: string;
  /** Offset of the function in the text. */
  at: number;
}

/** Returns the constant patterns of a parsed text that cannot be used: functions fail with them whatever the event. */
function constantPatternProblems(text: FormulaText, source: string): TemplateProblem[] {
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

/** Returns what a parsed text refers to; computed keys of RESOURCE and similar roots count as well. */
function referencesOf(text: FormulaText): TemplateReferences {
  const names = new Set<string>();
  const roots = new Set<string>();
  for (const { part, bound } of walkFormula(text)) {
    if (part.kind === 'reference' && !bound.has(part.name)) names.add(part.name);
    if (part.kind === 'named') roots.add(part.root);
  }
  return {
    names: [...names],
    resources: roots.has('RESOURCE'),
    credentials: roots.has('CREDENTIAL'),
    stories: roots.has('STORY'),
  };
}
