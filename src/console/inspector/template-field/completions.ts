import { hasEntries } from '../../text/exact-json.js';
import { formulaOf, liquidOf } from '../../ui/json-view/value-path.js';
import { placesBelow } from './nested-paths.js';
import { referenceBefore, type Reference, type Step } from './reference-before.js';
import { codeAt, type TemplateLanguage } from './template-syntax.js';

/** Something that a template can call. */
export interface Callable {
  name: string;
  /** `SPLIT(text, separator)`. */
  signature: string;
  description: string;
  /** A call with its result. */
  example: string;
}

/** What a template can name, as far as the editor knows. */
export interface Knowledge {
  language: TemplateLanguage;
  /** What the action receives: one key for each action before it. Undefined without a sample. */
  sample: unknown;
  /** Actions before this one, by the keys that a sample has them under. */
  actions: readonly string[];
  functions: readonly Callable[];
  filters: readonly Callable[];
  resources: readonly string[];
  credentials: readonly string[];
  stories: readonly string[];
}

/** Something that can be written at the cursor. */
export interface Completion {
  label: string;
  /** The text that is put in place of what is written so far. */
  text: string;
  kind: 'value' | 'path' | 'function' | 'filter' | 'name' | 'tag';
  /** The value in the sample, or the signature. */
  detail: string;
  /** More about it, for the one that is chosen. */
  info: string;
}

/** The completions for a place in a text. */
export interface Completions {
  /** The index in the text of what they replace. */
  from: number;
  completions: Completion[];
}

/** Only so many of the next step are looked at; typing on finds the others. */
const MOST = 500;
const LONGEST_VALUE = 60;
const PLAIN = /^[A-Za-z_]\w*$/;
const ROOTS: Record<'RESOURCE' | 'CREDENTIAL' | 'STORY', keyof Knowledge> = {
  RESOURCE: 'resources',
  CREDENTIAL: 'credentials',
  STORY: 'stories',
};
const OTHER_ROOTS = ['META', 'LOCAL', 'LOOP', 'INPUT', 'PAGINATE'];
const TAGS = ['if', 'elsif', 'else', 'endif', 'for', 'endfor'];
const LIQUID_TAGS = [
  ...TAGS,
  'unless',
  'endunless',
  'case',
  'when',
  'endcase',
  'assign',
  'capture',
  'endcapture',
];
/** Tags of Liquid that are followed by a name. */
const NAMING_TAGS = /^-?\s*(credential|global_resource|story)\s+([^%]*)$/;
const TAG_NAMES: Record<string, keyof Knowledge> = {
  credential: 'credentials',
  global_resource: 'resources',
  story: 'stories',
};

/** Returns what can be written at a place of a text; undefined in plain text. */
export function completionsAt(text: string, at: number, known: Knowledge): Completions | undefined {
  const span = codeAt(text, at, known.language);
  if (span === undefined) return undefined;
  const code = text.slice(span.from, at);
  if (isInText(code)) return undefined;
  const tag = span.isTag ? NAMING_TAGS.exec(code) : null;
  if (tag !== null) return named(tag, at, known);
  const filter = known.language === 'liquid' ? /\|\s*(\w*)$/.exec(code) : null;
  if (filter !== null) {
    return {
      from: at - (filter[1] ?? '').length,
      completions: known.filters.map((each) => called(each, 'filter')),
    };
  }
  const reference = referenceBefore(code);
  const next =
    reference.steps.length === 0 && !reference.inBracket
      ? atRoot(known, span.isTag && /^-?\s*\w*$/.test(code))
      : inside(reference, known);
  const completions = [...next.slice(0, MOST), ...below(reference, known)];
  return { from: span.from + reference.from, completions };
}

/** The paths to values further below: `body.city`. */
function below({ steps, inBracket }: Reference, { sample, language }: Knowledge): Completion[] {
  if (inBracket) return [];
  return placesBelow(valueAtSteps(sample, steps)).flatMap(({ steps: path, value }): Completion[] => {
    const [first] = path;
    // After a dot, other keys need a bracket.
    if (typeof first !== 'string' || !PLAIN.test(first)) return [];
    const label = pathText(path, language);
    return [{ label, text: label, kind: 'path', detail: valueInShort(value), info: '' }];
  });
}

function pathText(path: readonly Step[], language: TemplateLanguage): string {
  return (language === 'liquid' ? liquidOf : formulaOf)(path).slice(2, -2).trim();
}

/** Returns the value at these steps in a sample; undefined where there is none. */
function valueAtSteps(sample: unknown, steps: readonly Step[]): unknown {
  let value = sample;
  for (const step of steps) {
    if (!hasEntries(value)) return undefined;
    const key = Array.isArray(value) && typeof step === 'number' && step < 0 ? value.length + step : step;
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

/** Returns a value in a line: `"Ada"`, `3 items`. */
function valueInShort(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  if (hasEntries(value)) {
    const count = Object.keys(value).length;
    return count === 1 ? '1 key' : `${count} keys`;
  }
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, LONGEST_VALUE + 1) : value) ?? '';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function atRoot(known: Knowledge, isTagName: boolean): Completion[] {
  const { sample, actions, functions, language } = known;
  const tags = isTagName ? (language === 'liquid' ? LIQUID_TAGS : TAGS) : [];
  const roots = [...Object.keys(ROOTS), ...OTHER_ROOTS];
  return [
    ...tags.map((name): Completion => ({ label: name, text: name, kind: 'tag', detail: '', info: '' })),
    ...(hasEntries(sample) ? Object.entries(sample).map(([key, value]) => keyed(key, value, false)) : []),
    // Actions that did not run in the sample; without a sample, all of them.
    ...names(
      actions.filter((name) => !hasEntries(sample) || !Object.hasOwn(sample, name)),
      false,
    ),
    ...roots.map((name): Completion => ({ label: name, text: name, kind: 'name', detail: '', info: '' })),
    ...(language === 'formula' ? functions.map((each) => called(each, 'function')) : []),
  ];
}

function inside({ steps, inBracket }: Reference, known: Knowledge): Completion[] {
  const [root] = steps;
  const list =
    typeof root === 'string' && Object.hasOwn(ROOTS, root) ? ROOTS[root as keyof typeof ROOTS] : undefined;
  if (list !== undefined && steps.length === 1) return names(known[list] as readonly string[], inBracket);
  const value = valueAtSteps(known.sample, steps);
  if (!hasEntries(value)) return [];
  return Object.entries(value).map(([key, item]) =>
    keyed(Array.isArray(value) ? Number(key) : key, item, inBracket),
  );
}

/** The names after a tag that is followed by one. */
function named(tag: RegExpExecArray, at: number, known: Knowledge): Completions {
  const [, word = '', partial = ''] = tag;
  const list = known[TAG_NAMES[word] ?? 'stories'] as readonly string[];
  return {
    from: at - partial.length,
    completions: list.map(
      (name): Completion => ({ label: name, text: name, kind: 'name', detail: '', info: '' }),
    ),
  };
}

function names(list: readonly string[], inBracket: boolean): Completion[] {
  return list.map(
    (name): Completion => ({
      label: name,
      text: written(name, inBracket),
      kind: 'name',
      detail: '',
      info: '',
    }),
  );
}

function keyed(key: Step, value: unknown, inBracket: boolean): Completion {
  return {
    label: String(key),
    text: written(key, inBracket),
    kind: 'value',
    detail: valueInShort(value),
    info: '',
  };
}

function called(
  { name, signature, description, example }: Callable,
  kind: 'function' | 'filter',
): Completion {
  return { label: name, text: name, kind, detail: signature, info: `${description}\n${example}`.trim() };
}

/** A key in a bracket, or after the dot where it needs none. */
function written(key: Step, inBracket: boolean): string {
  if (typeof key === 'number') return inBracket ? `[${key}]` : String(key);
  if (inBracket) return `[${JSON.stringify(key)}]`;
  return PLAIN.test(key) ? key : JSON.stringify(key);
}

/** Whether a quote is open at the end of this code, outside of a bracket. */
function isInText(code: string): boolean {
  let quote = '';
  let isKey = false;
  let before = '';
  for (let at = 0; at < code.length; at += 1) {
    const character = code.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
      isKey = before === '[' || before === '.';
    }
    if (character.trim() !== '') before = character;
  }
  return quote !== '' && !isKey;
}
