import type { JsonValue } from '../../../platform/json.js';
import { TemplateError } from '../../template-error.js';

/**
 * `LAMBDA(x, …)` as a value: called by the function it was given to. It has no keys that a path could reach.
 */
export class Lambda {
  readonly #evaluate: (values: unknown[]) => unknown;
  readonly #names: number;

  /** @param names how many it has for its values. */
  constructor(names: number, evaluate: (values: unknown[]) => unknown) {
    this.#names = names;
    this.#evaluate = evaluate;
  }

  /** Of an entry of an object: a lambda with one name is given the value, others key and value. */
  callWithEntry(key: string, value: unknown): unknown {
    return this.#evaluate(this.#names > 1 ? [key, value] : [value]);
  }

  call(values: unknown[]): unknown {
    return this.#evaluate(values);
  }

  /** @throws TemplateError wherever it is about to become text. */
  toJSON(): never {
    throw new TemplateError('A LAMBDA cannot be shown as text');
  }
}

/** What a function gets besides its values. */
export interface FunctionCall {
  /** Counts work done, an element of a list for example. Throws when the formula has used up its steps or time. */
  step: (count?: number) => void;
  /** Throws when the formula has used up its time: for each round of something slow. */
  checkTime: () => void;
  /** Counts memory that the result does not show, in list elements made. Throws when it is used up. */
  charge: (elements: number) => void;
  /** Of arithmetic: one of the values is written with a decimal point, or worked out from one that is. */
  isDecimal: boolean;
  /** What a function can know of where it runs. */
  host: FormulaHost;
}

/** What functions such as STORY_RUN_GUID and PROMPT ask for; each throws where there is none. */
export interface FormulaHost {
  storyRunGuid: () => string;
  promptLink: (name: string) => string;
}

/** Pure but for clocks and random values, synchronous, own properties only. Null where there is no result. */
export type FunctionBody = (values: unknown[], call: FunctionCall) => unknown;

/** Decides itself which of its values are worked out, and when. */
export type LazyFunctionBody = (values: (() => unknown)[], call: FunctionCall) => unknown;

/** One function as the table holds it: the documentation and a test are made from it. */
export interface FunctionEntry {
  /**
   * Names of its values: `text, length?`; `?` may be left out, and given by its name as in `length: 5`; `…` at the
   * end may be repeated.
   */
  takes: string;
  /** What it gives, in a sentence part: "the text in upper case". */
  gives: string;
  /** A formula and what it gives. */
  example: [formula: string, result: JsonValue];
  /** What it gives is decimal where one of its values is. */
  isArithmetic?: true;
  run?: FunctionBody;
  runLazily?: LazyFunctionBody;
}

export type FunctionTable = Record<string, FunctionEntry>;

export interface FormulaFunction extends FunctionEntry {
  name: string;
  family: string;
  fewest: number;
  most: number;
  /** Where the values stand that may be given by their names. */
  named: ReadonlyMap<string, number>;
}

/** The entry with its name, family, and the numbers of values it takes. */
export function functionOf(name: string, family: string, entry: FunctionEntry): FormulaFunction {
  const values = entry.takes.split(',').filter((value) => value.trim() !== '');
  const optional = values.filter((value) => /[?…]\s*$/.test(value)).length;
  return {
    ...entry,
    name,
    family,
    fewest: values.length - optional,
    most: entry.takes.includes('…') ? Number.POSITIVE_INFINITY : values.length,
    named: new Map(values.flatMap((value, index) => nameOf(value).map((key) => [key, index]))),
  };
}

/** What stands before the `?` of a value, where it can be written as a name. */
function nameOf(value: string): string[] {
  return [...value.matchAll(/^\s*(\w+)\?\s*$/g)].map(([, key = '']) => key);
}
