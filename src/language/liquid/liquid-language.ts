import {
  AssertionError,
  Context,
  Drop,
  type Liquid,
  LiquidError,
  Output as LiquidOutput,
  type Template,
  TokenKind,
  toValueSync,
} from 'liquidjs';
import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../platform/json.js';
import type { RenderOptions, TemplateLanguage, TemplateScope } from '../template.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { parsedJson, valueOfText } from '../values/json-result.js';
import { sizeWithin } from '../values/value-size.js';
import { createEngine } from './engine.js';
import { environmentOf } from './environment.js';
import {
  CACHED_TEMPLATE_BYTES,
  CACHED_TEMPLATES,
  MAX_FAULT_CHARACTERS,
  MAX_OUTPUT_CHARACTERS,
  MAX_RENDER_MS,
  MAX_TEMPLATE_CHARACTERS,
} from '../limits.js';
import { liquidDependencies } from './liquid-dependencies.js';
import { liquidPaths } from './liquid-paths.js';
import { liquidPlaces } from './liquid-places.js';
import { liquidProblems } from './liquid-problems.js';
import { type NormalisedTemplate, normaliseTemplate } from './ruby/normalise.js';
import { TemplateOutput, untyped } from './ruby/output.js';
import { messageOf } from '../../platform/errors.js';
import { positionAt } from '../values/position.js';
import { shortened } from '../../platform/text/shortened.js';
import { TimeLimit } from '../../platform/runtime/time-limit.js';
import { isRecord } from '../values/values.js';
import { setScope } from './render-scope.js';
import { TYPED_OUTPUT } from './rewrite-tag.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { ExactNumber, stringifyJson } from '../../platform/json/exact-number.js';

/**
 * Reads properties as Ruby's Liquid does: `first` of an object without such a key is its first pair, and a text has no
 * elements.
 */
class RubyContext extends Context {
  override readProperty(...[holder, key]: Parameters<Context['readProperty']>): unknown {
    if (typeof holder === 'string' && key !== 'size') return undefined;
    const value: unknown = super.readProperty(holder, key);
    if (value !== undefined || key !== 'first' || !isRecord(holder) || holder instanceof Drop) return value;
    // The first key alone: an object may have many.
    for (const name in holder) if (Object.hasOwn(holder, name)) return [name, holder[name]];
    return undefined;
  }
}

const LIMIT_WORDS: Record<string, string> = {
  'parse length': 'The template is too long',
  'memory alloc': 'The template needs too much memory',
};

/** A parsed text; `failure` is set if it has a syntax error. */
interface Parsed {
  normalised: NormalisedTemplate;
  templates: Template[];
  /** The only output, if the text is one bare output. */
  bareOutput: Template[] | undefined;
  /** The only output has no filter but a last `as_object`: it is a value as it came, not one that a filter made. */
  isUnfiltered?: boolean;
  failure?: TemplateError;
}

const NO_TEMPLATES = { normalised: normaliseTemplate(''), templates: [] };

/** Creates the Liquid language of stories (spec §8.2, docs/build/liquid.md). Parsed templates are cached; rendering is synchronous. */
export function createLiquidLanguage(): TemplateLanguage {
  const liquid = createEngine();
  const parsedTexts = new LRUCache<string, Parsed>({
    max: CACHED_TEMPLATES,
    maxSize: CACHED_TEMPLATE_BYTES,
    sizeCalculation: ({ normalised }, text) => 2 * text.length + normalised.parsedBytes + 1,
  });
  const parse = (text: string): Parsed => {
    const kept = parsedTexts.get(text);
    if (kept !== undefined) return kept;
    const parsed = parseText(liquid, text);
    parsedTexts.set(text, parsed);
    return parsed;
  };
  return {
    name: 'liquid',
    isTemplate,
    check: (text) => (isTemplate(text) ? liquidProblems(liquid, text, parse(text)) : []),
    dependencies: (text) => liquidDependencies(text, isTemplate(text) ? parse(text) : NO_TEMPLATES),
    paths: (text) => liquidPaths(text, isTemplate(text) ? parse(text) : NO_TEMPLATES),
    placesOf: (text, name) =>
      isTemplate(text) ? liquidPlaces(text, name, (source) => parseText(liquid, source)) : [],
    render: (text, scope, options = {}) => {
      if (!isTemplate(text)) return options.asValue === true ? valueOfText(text, options) : text;
      return renderParsed(liquid, { text, parsed: parse(text), scope, options });
    },
  };
}

function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

function parseText(liquid: Liquid, text: string): Parsed {
  let normalised = normaliseTemplate('');
  try {
    if (text.length > MAX_TEMPLATE_CHARACTERS) {
      throw new TemplateError(`The template is longer than ${MAX_TEMPLATE_CHARACTERS} characters`);
    }
    normalised = normaliseTemplate(text);
    const templates = liquid.parse(normalised.text);
    const outputs = templates.filter(({ token }) => token.kind === TokenKind.Output);
    const [only, ...more] = outputs;
    return {
      normalised,
      templates,
      bareOutput: normalised.isBareOutput ? outputs : undefined,
      isUnfiltered:
        more.length === 0 && only instanceof LiquidOutput && only.value.filters[0]?.name === TYPED_OUTPUT,
    };
  } catch (error) {
    const failure = toTemplateError(error, text, normalised);
    return { normalised, templates: [], bareOutput: undefined, failure };
  }
}

interface RenderInput {
  text: string;
  parsed: Parsed;
  scope: TemplateScope;
  options: RenderOptions;
}

function renderParsed(liquid: Liquid, { text, parsed, scope, options }: RenderInput): JsonValue {
  if (parsed.failure !== undefined) throw parsed.failure;
  const output = new TemplateOutput(options.mostCharacters);
  const limits = { liquid, renderLimit: startRenderTime() };
  const context = new RubyContext(environmentOf(scope), liquid.options, { sync: true }, limits);
  setScope(context, scope);
  Object.assign(context.bottom(), options.variables);
  try {
    const bareOutput = options.asValue === true ? parsed.bareOutput : undefined;
    toValueSync(liquid.renderer.renderTemplates(bareOutput ?? parsed.templates, context, output));
    if (options.variables !== undefined) keepVariables(context, options.variables);
    return resultOf(output, options, parsed);
  } catch (error) {
    throw toTemplateError(error, text, parsed.normalised);
  }
}

function keepVariables(context: Context, variables: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(context.bottom())) variables[name] = untyped(value);
}

function resultOf(
  output: TemplateOutput,
  options: RenderOptions,
  { bareOutput, isUnfiltered }: Parsed,
): JsonValue {
  const typed = output.typedValue;
  if (typed !== undefined) {
    // A text that came in is read (decision 0043); one that a filter made, such as `json`, is wanted as text.
    const isRead = isUnfiltered === true && typeof typed.value === 'string';
    return isRead ? parsedJson(typed.value) : jsonValueOf(typed.value, options);
  }
  if (options.asValue !== true) return output.buffer;
  const value = bareOutput === undefined ? output.buffer : output.lastValue;
  return typeof value === 'string' ? valueOfText(value, options) : jsonValueOf(value, options);
}

/** Converts a value to JSON: undefined becomes null; liquidjs's own objects (`forloop`, `empty`) are serialised. */
function jsonValueOf(value: unknown, { mostCharacters = MAX_OUTPUT_CHARACTERS }: RenderOptions): JsonValue {
  if (value === undefined || value === null) return null;
  sizeWithin(value, mostCharacters);
  return isJson(value) ? value : parseJson(stringifyJson(value) ?? 'null');
}

function isJson(value: unknown): value is JsonValue {
  if (typeof value !== 'object' || value === null) {
    return (
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value))
    );
  }
  if (value instanceof ExactNumber) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value)
    ? value.every(isJson)
    : prototype === Object.prototype && Object.values(value).every(isJson);
}

/** Converts an error of liquidjs to words for a story's author, with the position in the author's text. */
function toTemplateError(error: unknown, source: string, template: NormalisedTemplate): TemplateError {
  if (error instanceof TemplateError) return error;
  if (!LiquidError.is(error)) return new TemplateError(causeText(error), { cause: error });
  const { token, originalError } = error as LiquidError & {
    token?: { begin: number };
    originalError?: unknown;
  };
  const place = positionAt(source, template.originalOffset(token?.begin ?? 0));
  const problem = { message: shortened(messageText(originalError ?? error), MAX_FAULT_CHARACTERS), ...place };
  const text = `${problem.message} (line ${place.line}, column ${place.column})`;
  // liquidjs's own error contains the whole template, which must not be logged.
  const cause =
    originalError instanceof TemplateError || LiquidError.is(originalError) ? undefined : originalError;
  return new TemplateError(text, { cause, problem });
}

function messageText(error: unknown): string {
  if (LiquidError.is(error)) {
    const inner = (error as { originalError?: unknown }).originalError;
    if (inner !== undefined) return messageText(inner);
  }
  return causeText(error);
}

function causeText(error: unknown): string {
  if (error instanceof RangeError) return 'The template is nested too deeply or its result is too large';
  if (error instanceof TypeError) return 'A value is used in a way that is not supported';
  const message = messageOf(error).replace(/(?:, file:.*)?, line:\d+, col:\d+$/s, '');
  const limit = /^(parse length|memory alloc) limit exceeded$/.exec(message);
  return limit === null ? message : (LIMIT_WORDS[limit[1] ?? ''] ?? message);
}

/** Starts the time limit of a render, which replaces liquidjs's own; `check` expects the value of `performance.now()`. */
function startRenderTime(): Context['renderLimit'] {
  const time = new TimeLimit(MAX_RENDER_MS);
  const check = (now: number) => {
    if (time.isOver(now)) throw new AssertionError('The template took too long to render');
  };
  // liquidjs calls only `check`; it exports no type without the rest, which is private.
  return { check } as unknown as Context['renderLimit'];
}
