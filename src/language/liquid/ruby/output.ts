import type { Emitter } from 'liquidjs';
import { TemplateError } from '../../../platform/text/template-error.js';
import { Decimal } from './decimal.js';
import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { leaveIfLarge } from '../../../platform/runtime/time-limit.js';
import { textOf } from '../../values/values.js';

/** The result of `as_object` as the last filter of an output: the value is used, not its text. */
export class TypedValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A Decimal in an output: liquidjs would write its number, which has lost its type. */
class ShownDecimal {
  readonly value: Decimal;

  constructor(value: Decimal) {
    this.value = value;
  }
}

/** The last step of each output, before liquidjs converts values. */
export function keepDecimalForm(value: unknown): unknown {
  return value instanceof Decimal ? new ShownDecimal(value) : value;
}

/** Returns the value inside a TypedValue or Decimal; any other value unchanged. */
export function untyped(value: unknown): unknown {
  if (value instanceof Decimal) return value.valueOf();
  if (value instanceof ShownDecimal) return value.value.valueOf();
  return value instanceof TypedValue ? value.value : value;
}

/** Returns a Decimal as its text, `2.0`; any other value as `untyped` does. */
export function outputText(value: unknown): unknown {
  if (value instanceof ShownDecimal) return value.value.text;
  return value instanceof Decimal ? value.text : untyped(value);
}

/** Collects the output of a template: its text, and the values of its outputs. */
export class TemplateOutput implements Emitter {
  buffer = '';
  private readonly most: number;
  private last: unknown;
  private typed: TypedValue[] = [];
  private textBesideTyped = false;

  constructor(mostCharacters = MAX_OUTPUT_CHARACTERS) {
    this.most = mostCharacters;
  }

  write(given: unknown): void {
    const text = textOf(outputText(given));
    if (this.buffer.length + text.length > this.most) {
      throw new TemplateError(`The result is longer than ${this.most} characters`);
    }
    this.buffer += text;
    leaveIfLarge(this.buffer.length);
    if (given instanceof TypedValue) this.typed.push(given);
    else if (text.trim() !== '') this.textBesideTyped = true;
    this.last = given;
  }

  /** The value of the only output that ends in `as_object`, if there is only white space besides it. */
  get typedValue(): TypedValue | undefined {
    return this.typed.length === 1 && !this.textBesideTyped ? this.typed[0] : undefined;
  }

  /** The value of the last output, before it was converted to text. */
  get lastValue(): unknown {
    return untyped(this.last);
  }
}
