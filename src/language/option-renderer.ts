import { messageOf } from '../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { orderedObject } from '../platform/json/ordered-object.js';
import { isInTurn, leaveIfLarge, MAX_SLICE_CHARACTERS, TimeLimit } from '../platform/runtime/time-limit.js';
import type { TemplateLanguage, TemplateScope } from './template.js';
import { TemplateError } from '../platform/text/template-error.js';
import { writtenValue } from './written-json.js';
import { sizeWithin } from './values/value-size.js';

const MAX_DEPTH = 100;
/** Limit for all rendered options of one agent together, unless its type has another. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Limit for all values that templates set as variables, overwritten ones included. */
const MAX_VARIABLE_CHARACTERS = 32 * 1024 * 1024;
/** Limit for all options: one render has its own limit, but an agent may have hundreds of templates. */
export const MAX_OPTIONS_MS = 5_000;

/** A text of this option is sent as it is, also if it is JSON (spec §8.2). */
const TEXT_OPTION = 'payload';

export interface RenderOptionsInput {
  language: TemplateLanguage;
  scope: TemplateScope;
  /** Paths where a template that is the whole text returns the value itself (AgentDefinition). */
  valueOptions?: readonly string[];
  /** Paths that are not rendered, with all paths below them. */
  rawOptions?: readonly string[];
  /** The options behind `INPUT`, by slug: options that are rendered when a template names them. */
  inputs?: JsonObject | undefined;
  /** Limit for all rendered options together; by default `MAX_CHARACTERS`. */
  mostCharacters?: number | undefined;
  /** Variables besides those of the scope, such as `LOOP`. */
  variables?: Readonly<Record<string, unknown>>;
}

/** Variables whose parts are counted as rendered options. */
const RENDERED = new Set(['LOCAL', 'INPUT']);

type Path = readonly (string | number)[];

interface Walk {
  /** The current path. One list for the whole walk: only an error copies it. */
  path: (string | number)[];
  language: TemplateLanguage;
  scope: TemplateScope;
  asValue: (path: Path) => boolean;
  isRaw: (path: Path) => boolean;
  /** Shared by all options: real stories capture a text in one option and use it in a later one. */
  variables: Record<string, unknown>;
  /** The option `local`, rendered before the others. */
  local?: JsonObject | undefined;
  time: TimeLimit;
  mostCharacters: number;
  charactersLeft: number;
  /** The variables as last counted, and the lists and objects counted in them: mostly parts of the event. */
  counted: Map<string, unknown>;
  countedObjects: WeakSet<object>;
  variableCharactersLeft: number;
}

/**
 * Returns an agent's options with every text rendered, in order; keys of objects stay unchanged (no export has a
 * template in one). The input is not changed. Values taken from the scope are shared with it, not copied.
 * @throws TemplateError that names the option: `payload.fields[0].text: …`.
 */
export function renderOptions(options: JsonObject, input: RenderOptionsInput): JsonObject {
  const { mostCharacters = MAX_CHARACTERS } = input;
  const walk: Walk = {
    path: [],
    language: input.language,
    scope: input.scope,
    asValue: pathMatcher(input.valueOptions ?? [], { withDescendants: false }),
    isRaw: pathMatcher(input.rawOptions ?? [], { withDescendants: true }),
    variables: Object.assign(Object.create(null) as Record<string, unknown>, input.variables),
    time: new TimeLimit(MAX_OPTIONS_MS),
    mostCharacters,
    charactersLeft: mostCharacters,
    counted: new Map(Object.entries(input.variables ?? {})),
    countedObjects: new WeakSet(),
    variableCharactersLeft: MAX_VARIABLE_CHARACTERS,
  };
  if (input.inputs !== undefined) walk.variables.INPUT = renderedWhenRead(input.inputs, walk);
  if (input.language.name === 'formula') walk.local = renderLocal(options.local, walk);
  return renderObject(options, walk);
}

/**
 * Renders the option `local` first: formulas of the other options refer to its parts as `LOCAL.x`. A part may refer to
 * the parts before it.
 */
function renderLocal(local: JsonValue | undefined, walk: Walk): JsonObject | undefined {
  if (!isJsonObject(local) || walk.isRaw(['local'])) return undefined;
  const parts = Object.create(null) as JsonObject;
  walk.variables.LOCAL = parts;
  walk.path.push('local');
  const entries = Object.entries(local);
  for (const entry of entries) parts[entry[0]] = entry[1] = renderAt(entry[0], entry[1], walk);
  walk.path.pop();
  return orderedObject(entries);
}

/** Returns the inputs, each of which is rendered when it is read first: an input may name others. */
function renderedWhenRead(inputs: JsonObject, walk: Walk): object {
  const shown = Object.create(null) as object;
  for (const slug of Object.keys(inputs)) {
    const get = onceRead(() => renderInput(slug, inputs[slug] ?? null, walk), slug);
    Object.defineProperty(shown, slug, { enumerable: true, get });
  }
  return shown;
}

/** Returns a function that renders an input at its first call. */
function onceRead(render: () => JsonValue, slug: string): () => JsonValue {
  let rendered: JsonValue | undefined;
  let isUnderWay = false;
  return () => {
    if (rendered !== undefined) return rendered;
    if (isUnderWay) throw new TemplateError(`INPUT.${slug} refers to itself`);
    isUnderWay = true;
    try {
      return (rendered = render());
    } finally {
      isUnderWay = false;
    }
  };
}

/** Renders an input at a path of its own, while another option is rendered. */
function renderInput(slug: string, value: JsonValue, walk: Walk): JsonValue {
  const { path } = walk;
  walk.path = ['INPUT'];
  try {
    return renderAt(slug, value, walk);
  } finally {
    walk.path = path;
  }
}

function renderObject(object: JsonObject, walk: Walk): JsonObject {
  const entries = Object.entries(object);
  for (const entry of entries) entry[1] = renderAt(entry[0], entry[1], walk);
  return orderedObject(entries);
}

function renderAt(step: string | number, value: JsonValue, walk: Walk): JsonValue {
  walk.path.push(step);
  const rendered = renderValue(value, walk);
  walk.path.pop();
  return rendered;
}

function renderValue(value: JsonValue, walk: Walk): JsonValue {
  const { path } = walk;
  if (path.length > MAX_DEPTH) throw new TemplateError(`${pathText(path)}: nested deeper than ${MAX_DEPTH}`);
  if (walk.isRaw(path)) return value;
  if (path.length === 1 && path[0] === 'local' && walk.local !== undefined) return walk.local;
  if (typeof value === 'string') return renderText(value, walk);
  if (Array.isArray(value)) return value.map((item, index) => renderAt(index, item, walk));
  if (isJsonObject(value)) return renderObject(value, walk);
  return value;
}

function renderText(text: string, walk: Walk): JsonValue {
  try {
    const asValue = walk.asValue(walk.path);
    const isPlain = !asValue && !walk.language.isTemplate(text);
    const rendered = isPlain ? text : renderTemplate(text, asValue, walk);
    walk.charactersLeft -= sizeOf(rendered, walk);
    leaveIfLarge(walk.mostCharacters - walk.charactersLeft);
    return rendered;
  } catch (error) {
    throw atPath(walk.path, error);
  }
}

/** Returns the size of a value. On the event loop it stops measuring at the size that is too large for it. */
function sizeOf(rendered: JsonValue, { charactersLeft: left, mostCharacters }: Walk): number {
  const limit = isInTurn() ? Math.min(left, MAX_SLICE_CHARACTERS) : left;
  try {
    return sizeWithin(rendered, limit, { what: 'sum of all rendered options', wholeLimit: mostCharacters });
  } catch (error) {
    if (limit < left) leaveIfLarge(limit + 1);
    throw error;
  }
}

function renderTemplate(text: string, asValue: boolean, walk: Walk): JsonValue {
  const rendered = walk.language.render(text, walk.scope, {
    asValue,
    keepsText: walk.path.length === 1 && walk.path[0] === TEXT_OPTION,
    variables: walk.variables,
    mostCharacters: walk.mostCharacters,
  });
  countVariables(walk);
  if (walk.time.isOver()) {
    throw new TemplateError(`The options took longer than ${MAX_OPTIONS_MS} ms to render`);
  }
  return typeof rendered === 'string' && !asValue ? writtenValue(rendered, text, walk) : rendered;
}

/** Counts new variables: a render's own limits end with it, but its variables stay until the last option is rendered. */
function countVariables(walk: Walk): void {
  for (const [name, value] of Object.entries(walk.variables)) {
    if (RENDERED.has(name) || walk.counted.get(name) === value) continue;
    walk.counted.set(name, value);
    if (typeof value === 'object' && value !== null) {
      if (walk.countedObjects.has(value)) continue;
      walk.countedObjects.add(value);
    }
    walk.variableCharactersLeft -= sizeWithin(value, walk.variableCharactersLeft, {
      what: 'sum of all variables',
      wholeLimit: MAX_VARIABLE_CHARACTERS,
    });
  }
}

function atPath(path: Path, error: unknown): TemplateError {
  const problem = error instanceof TemplateError ? error.problem : undefined;
  return new TemplateError(`${pathText(path)}: ${messageOf(error)}`, {
    cause: error,
    path: [...path],
    ...(problem === undefined ? {} : { problem }),
  });
}

/** `payload.fields[0].text` */
function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** The patterns of an agent type, split into steps: each delivery passes the same lists. */
const cutPatterns = new WeakMap<readonly string[], string[][]>();
const matchesNothing = (): boolean => false;

/** Returns a test for paths that match one of the patterns; `*` matches any key or index. */
function pathMatcher(
  patterns: readonly string[],
  { withDescendants }: { withDescendants: boolean },
): (path: Path) => boolean {
  if (patterns.length === 0) return matchesNothing;
  const steps = cutPatterns.get(patterns) ?? patterns.map((pattern) => pattern.split('.'));
  cutPatterns.set(patterns, steps);
  return (path) =>
    steps.some((pattern) => {
      if (withDescendants ? pattern.length > path.length : pattern.length !== path.length) return false;
      return pattern.every((step, index) => step === '*' || step === String(path[index]));
    });
}
