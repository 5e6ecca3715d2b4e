import type { JsonValue } from '../../../platform/json.js';
import { TemplateError } from '../../../platform/text/template-error.js';

/**
 * `LAMBDA(x, …)` as a value, run by the function that receives it. It has no keys that a path could read.
 */
export class Lambda {
  readonly #evaluate: (values: unknown[]) => unknown;
  readonly #names: number;

  /** @param names the number of its parameters. */
  constructor(names: number, evaluate: (values: unknown[]) => unknown) {
    this.#names = names;
    this.#evaluate = evaluate;
  }

  /** Runs it for an entry of an object: with the value if it has one parameter, otherwise with key and value. */
  callWithEntry(key: string, value: unknown): unknown {
    return this.#evaluate(this.#names > 1 ? [key, value] : [value]);
  }

  call(values: unknown[]): unknown {
    return this.#evaluate(values);
  }

  /** @throws TemplateError whenever it would be converted to text. */
  toJSON(): never {
    throw new TemplateError('A LAMBDA cannot be shown as text');
  }
}

/** The facilities that a function receives besides its values. */
export interface FunctionCall {
  /** Counts work, for example one list element. Throws when the formula's steps or time are used up. */
  step: (count?: number) => void;
  /** Throws when the formula's time is used up: for each round of slow work. */
  checkTime: () => void;
  /** Counts memory that the result does not show, in list elements. Throws when it is used up. */
  charge: (elements: number) => void;
  /** For arithmetic: one of the values is written with a decimal point, or computed from such a number. */
  isDecimal: boolean;
  /** The environment of the formula. */
  host: FormulaHost;
}

/** Values for functions such as STORY_RUN_GUID and PROMPT; each throws if the environment has none. */
export interface FormulaHost {
  storyRunGuid: () => string;
  promptLink: (name: string) => string;
}

/** Pure except for clocks and random values, synchronous, reads own properties only. Null means no result. */
export type FunctionBody = (values: unknown[], call: FunctionCall) => unknown;

/** Decides itself which of its values are evaluated, and when. */
export type LazyFunctionBody = (values: (() => unknown)[], call: FunctionCall) => unknown;

/** One function in a table: its documentation and a test are generated from it. */
export interface FunctionEntry {
  /**
   * Names of its values: `text, length?`. A value with `?` is optional, and can be named as in `length: 5`. A last value
   * with `…` can be repeated.
   */
  takes: string;
  /** Further names of its values, by their places: what other versions of the language call them. */
  otherNames?: Readonly<Record<string, number>>;
  /** Its result, as part of a sentence: "the text in upper case". */
  gives: string;
  /** A formula and its result. */
  example: [formula: string, result: JsonValue];
  /** The result is decimal if one of the values is. */
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
  /** Positions of the values that can be named. */
  named: ReadonlyMap<string, number>;
}

/** The family of choices and tests. */
export const LOGIC_FAMILY = 'Logic';

/** Returns the entry with its name, family, and allowed numbers of values. */
export function functionOf(name: string, family: string, entry: FunctionEntry): FormulaFunction {
  const values = entry.takes.split(',').filter((value) => value.trim() !== '');
  const optional = values.filter((value) => /[?…]\s*$/.test(value)).length;
  return {
    ...entry,
    name,
    family,
    fewest: values.length - optional,
    most: entry.takes.includes('…') ? Number.POSITIVE_INFINITY : values.length,
    named: new Map([
      ...values.flatMap((value, index) => nameOf(value).map((key): [string, number] => [key, index])),
      ...Object.entries(entry.otherNames ?? {}),
    ]),
  };
}

/** Returns the name before the `?` of a value, if it is a valid name. */
function nameOf(value: string): string[] {
  return [...value.matchAll(/^\s*(\w+)\?\s*$/g)].map(([, key = '']) => key);
}
