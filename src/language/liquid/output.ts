import type { Emitter } from 'liquidjs';
import { TemplateError } from '../template-error.js';
import { Decimal } from './decimal.js';
import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { leaveIfLarge } from '../../platform/runtime/time-limit.js';
import { textOf } from '../values/values.js';

/** What `as_object` as the last filter of an output makes: the value is meant, not its text. */
export class TypedValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The value inside a TypedValue or Decimal; anything else as it is. */
export function untyped(value: unknown): unknown {
  if (value instanceof Decimal) return value.valueOf();
  return value instanceof TypedValue ? value.value : value;
}

/** Collects what a template writes: its text, and the values that outputs gave. */
export class Output implements Emitter {
  buffer = '';
  private last: unknown;
  private typed: TypedValue[] = [];
  private textBesideTyped = false;

  write(given: unknown): void {
    const text = textOf(untyped(given));
    if (this.buffer.length + text.length > MAX_OUTPUT_CHARACTERS) {
      throw new TemplateError(`The result is longer than ${MAX_OUTPUT_CHARACTERS} characters`);
    }
    this.buffer += text;
    leaveIfLarge(this.buffer.length);
    if (given instanceof TypedValue) this.typed.push(given);
    else if (text.trim() !== '') this.textBesideTyped = true;
    this.last = given;
  }

  /** The value of the only output that ends in `as_object` where nothing but white space stands beside it. */
  get typedValue(): TypedValue | undefined {
    return this.typed.length === 1 && !this.textBesideTyped ? this.typed[0] : undefined;
  }

  /** What the last output gave, before it became text. */
  get lastValue(): unknown {
    return untyped(this.last);
  }
}
