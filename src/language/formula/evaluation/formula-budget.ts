import { leaveIfLarge, TimeLimit } from '../../../platform/runtime/time-limit.js';
import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import {
  MAX_EXPRESSION_DEPTH,
  MAX_FORMULA_MS,
  MAX_FORMULA_MEMORY_UNITS,
  MAX_STEPS,
} from '../formula-limits.js';

/** Reading the clock costs more than most steps. */
const STEPS_BETWEEN_CHECKS = 32;
const ELEMENTS_OF_UNIT = 4;
const CHARACTERS_OF_UNIT = 8;

/** The limits of one render; each method throws a TemplateError when one is exceeded. */
export class FormulaBudget {
  readonly #time: TimeLimit;
  #steps = 0;
  #units = 0;
  #depth = 0;

  /** Its time starts now. */
  constructor(timeMs = MAX_FORMULA_MS) {
    this.#time = new TimeLimit(timeMs);
  }

  /** Checks the time limit, which `step` does only occasionally. */
  checkTime(): void {
    if (this.#time.isOver()) {
      throw new TemplateError(`The formula takes longer than ${Math.ceil(this.#time.ms)} ms`);
    }
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new TemplateError(`The formula takes more than ${MAX_STEPS} steps`);
    if (this.#steps % STEPS_BETWEEN_CHECKS < count) this.checkTime();
  }

  /** Charges memory for a new value: a text by its length, a list by its elements. */
  charge(value: unknown): void {
    const units = unitsOf(value);
    this.#use(units);
    leaveIfLarge(units * CHARACTERS_OF_UNIT);
  }

  /** Charges memory that is not yet part of a value, in list elements. */
  chargeElements(count: number): void {
    const units = Math.ceil(count / ELEMENTS_OF_UNIT);
    this.#use(units);
    leaveIfLarge(units * CHARACTERS_OF_UNIT);
  }

  /** Enters one level of nesting; call `leave` afterwards, even if this throws. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_EXPRESSION_DEPTH)
      throw new TemplateError(`The formula is nested deeper than ${MAX_EXPRESSION_DEPTH} levels`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  #use(count: number): void {
    this.#units += count;
    if (this.#units > MAX_FORMULA_MEMORY_UNITS) throw new TemplateError('The formula needs too much memory');
  }
}

function unitsOf(value: unknown): number {
  if (typeof value === 'string') {
    if (value.length > MAX_OUTPUT_CHARACTERS) {
      throw new TemplateError(`A text of ${value.length} characters is too long`);
    }
    return Math.ceil(value.length / CHARACTERS_OF_UNIT);
  }
  return Array.isArray(value) ? Math.ceil(value.length / ELEMENTS_OF_UNIT) + 1 : 1;
}
