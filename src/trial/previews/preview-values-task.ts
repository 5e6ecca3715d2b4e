import {
  type MissingPath,
  missingPaths,
  renderOptions,
  type RenderOptionsInput,
} from '../../language/face.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { shortenedJson } from '../../platform/json/shortened-json.js';
import { TimeLimit, withinTime } from '../../platform/runtime/time-limit.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { faultOf, type PreviewFault, type PreviewScope, renderInputOf } from './preview-task.js';
import { type ShownValue, shownValue } from './shown-value.js';

/** One of the templates to render. */
export interface PreviewTemplate {
  key: string;
  template: string;
  /** The option that it is; undefined: it is rendered alone. */
  option: (string | number)[] | undefined;
}

/** Templates to render together. */
export interface PreviewValuesWork extends PreviewScope {
  templates: PreviewTemplate[];
  /** The JSON of the option `local` of their action; undefined: it has none. */
  local: string | undefined;
  /** Whether there is a sample, which may lack a path. */
  hasSample: boolean;
  /** Most characters of the event, which is wanted too; undefined: it is not. */
  eventCharacters: number | undefined;
}

/** What a template comes to, or why it does not. */
export type PreviewedValue = { key: string; missing: MissingPath[] } & (
  | (ShownValue & { error: null })
  | { value: null; type: null; size: null; truncated: false; error: PreviewFault }
);

/** The event as far as it fits. */
export interface ShownEvent {
  /** Its JSON. */
  json: string;
  /** The places of texts that were cut. */
  cutTexts: string[];
  /** How many items of lists and keys of objects were left out, by place. */
  leftOut: [place: string, count: number][];
}

export interface PreviewValuesDone {
  values: PreviewedValue[];
  event: ShownEvent | undefined;
}

/** Time for all templates: what all options of one action have. */
const MAX_MS = 5_000;
/** By the clock: a thread that gets little of the processor answers with what it has, before it is ended. */
const MOST_WAIT_MS = 30_000;
/** Time for each template in the first round, and how many times as long the next one is. */
const FIRST_MS = 20;
const MORE = 8;
const MOST_PLACES = 1_000;
/** The name under which a template alone is rendered. */
const ALONE = 'template';
const NOTHING = { value: null, type: null, size: null, truncated: false } as const;
const OUT_OF_TIME = { message: 'Not rendered: out of time', line: null, column: null, excerpt: null };

/** For `TASKS`: renders each template by itself. None takes the time of the others. */
export function renderPreviewValues(work: PreviewValuesWork): PreviewValuesDone {
  const input = renderInputOf(work);
  const items = itemsOf(work, input);
  renderInTurns(items, input);
  const set = new Set(items.flatMap(({ sets }) => sets));
  const { language, scope } = input;
  return {
    values: items.map(
      ({ key, template, shown }): PreviewedValue => ({
        key,
        ...(shown ?? { ...NOTHING, error: OUT_OF_TIME }),
        missing: work.hasSample
          ? missingPaths(language.paths(template), scope.event, { language: language.name, set })
          : [],
      }),
    ),
    event: work.eventCharacters === undefined ? undefined : shownEvent(scope.event, work.eventCharacters),
  };
}

type Shown = (ShownValue & { error: null }) | (typeof NOTHING & { error: PreviewFault });

interface Item extends PreviewTemplate {
  path: (string | number)[];
  /** What is rendered with it: texts before it that set its variables, and the option `local`. */
  before: JsonObject;
  /** The keys of those texts, by their names in `before`. */
  setters: Map<string, string>;
  sets: string[];
  shown: Shown | undefined;
}

function itemsOf({ templates, local }: PreviewValuesWork, { language }: RenderOptionsInput): Item[] {
  const known = templates.map((template) => ({ ...template, ...language.dependencies(template.template) }));
  return known.map(({ key, template, option, sets, roots }, index) => {
    const names = new Set(roots.map(({ name }) => name));
    const setters = new Map<string, string>();
    const before: [string, JsonValue][] = [];
    for (const earlier of known.slice(0, index).toReversed()) {
      if (!earlier.sets.some((name) => names.has(name))) continue;
      for (const { name } of earlier.roots) names.add(name);
      const name = `#${before.length}`;
      setters.set(name, earlier.key);
      before.unshift([name, earlier.template]);
    }
    if (local !== undefined && (names.has('LOCAL') || names.has('INPUT') || option?.[0] === 'local')) {
      before.push(['local', parseJson(local)]);
    }
    const path = option ?? [ALONE];
    return {
      key,
      template,
      option,
      path,
      before: Object.fromEntries(before),
      setters,
      sets,
      shown: undefined,
    };
  });
}

/**
 * Renders the items one after the other, each in a short time, which suffices for nearly all. The others are begun again with
 * more time, round by round, and with an equal part of what is left at most.
 */
function renderInTurns(items: readonly Item[], input: RenderOptionsInput): void {
  const time = new TimeLimit(MAX_MS);
  const lastAt = performance.now() + MOST_WAIT_MS;
  const isOver = () => time.isOver() || performance.now() > lastAt;
  let waiting = [...items];
  for (let roundMs = FIRST_MS; waiting.length > 0 && !isOver(); roundMs *= MORE) {
    const unfinished: Item[] = [];
    for (const [index, item] of waiting.entries()) {
      if (isOver()) return;
      const ms = Math.min(roundMs, time.leftMs() / (waiting.length - index));
      item.shown = withinTime(ms, (share) => renderItem(item, input, share));
      if (item.shown === undefined) unfinished.push(item);
    }
    waiting = unfinished;
  }
}

/** Returns undefined if the share of the time did not suffice. */
function renderItem(item: Item, input: RenderOptionsInput, share: TimeLimit): Shown | undefined {
  const valueOptions = item.option === undefined ? [ALONE] : (input.valueOptions ?? []);
  try {
    const options = withText(item.before, item.path, item.template) as JsonObject;
    const rendered = renderOptions(options, { ...input, valueOptions });
    return { ...shownValue(valueAt(rendered, item.path)), error: null };
  } catch (error) {
    if (share.isOver()) return undefined;
    if (!(error instanceof TemplateError)) throw error;
    return { ...NOTHING, error: errorOf(error, item) };
  }
}

/** An error of what is rendered with the item is named by its place. */
function errorOf(error: TemplateError, { path, template, setters }: Item): PreviewFault {
  const at = error.path ?? path;
  if (at.length === path.length && at.every((step, index) => step === path[index])) {
    return faultOf(error, template);
  }
  const { message } = faultOf(error, undefined);
  const place = setters.get(String(at[0])) ?? at.join('.');
  return { message: `${place}: ${message}`, line: null, column: null, excerpt: null };
}

/** Returns the value with the text at a path; what is not there becomes an object, whose keys may be indexes. */
function withText(value: JsonValue, path: readonly (string | number)[], text: string): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return text;
  if (Array.isArray(value) && typeof step === 'number' && step < value.length) {
    return value.with(step, withText(value[step] ?? null, rest, text));
  }
  const object = isJsonObject(value) ? value : {};
  return { ...object, [step]: withText(object[step] ?? null, rest, text) };
}

function valueAt(rendered: JsonValue, path: readonly (string | number)[]): JsonValue {
  return path.reduce<JsonValue>(
    (value, step) => (value as Record<string | number, JsonValue> | null)?.[step] ?? null,
    rendered,
  );
}

function shownEvent(event: JsonObject, room: number): ShownEvent {
  const { value, cutTexts, leftOut } = shortenedJson(event, { room });
  return {
    json: stringifyJson(value),
    cutTexts: [...cutTexts].slice(0, MOST_PLACES),
    leftOut: [...leftOut].slice(0, MOST_PLACES),
  };
}
