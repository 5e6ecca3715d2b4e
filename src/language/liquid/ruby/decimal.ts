import { Drop, type FilteredValueToken, type NumberToken, type Token, Tokenizer, TokenKind } from 'liquidjs';
import { ExactNumber, readNumeric } from '../../../platform/json/exact-number.js';

/**
 * An integer with a decimal type: the literal `2.0`, or the result of arithmetic with one. Filters for arithmetic see
 * the type; outputs and filters for text show it as `2.0`; everything else sees the number.
 */
export class Decimal extends Drop {
  readonly #number: number;

  constructor(number: number) {
    super();
    this.#number = number;
  }

  override valueOf(): number | undefined {
    // `x.__proto__.valueOf` calls this on an object that the constructor did not initialise.
    return #number in this ? this.#number : undefined;
  }

  /** As Ruby shows it: `2.0`. */
  get text(): string | undefined {
    const number = this.valueOf();
    return number === undefined || !Number.isSafeInteger(number) ? String(number) : `${number}.0`;
  }

  toJSON(): number | undefined {
    return this.valueOf();
  }
}

// liquidjs also reads inherited properties of a Drop: without this line templates could call the constructor.
Object.defineProperty(Decimal.prototype, 'constructor', { value: undefined });

const readFilteredValue: (this: Tokenizer) => FilteredValueToken = Reflect.get(
  Tokenizer.prototype,
  'readFilteredValue',
);

/** Makes liquidjs parse each literal such as `2.0`, as a value or an argument of a filter, to a Decimal. */
export function keepDecimals(): void {
  Tokenizer.prototype.readFilteredValue = function (this: Tokenizer) {
    const value = readFilteredValue.call(this);
    keepDecimal(value);
    return value;
  };
}

function keepDecimal(token: Token): void {
  if (token.kind === TokenKind.FilteredValue) {
    const { initial, filters } = token as FilteredValueToken;
    const args = filters.flatMap((filter) => filter.args);
    // Skips named arguments, `[name, value]`: no arithmetic filter has any.
    for (const part of [...initial.postfix, ...args]) if (!Array.isArray(part)) keepDecimal(part);
  } else if (token.kind === TokenKind.Number) {
    const { content } = token as NumberToken;
    const number = readNumeric(token.getText());
    // A literal with a fraction is a float, as in Ruby: 1.23456789012345678 is 1.2345678901234567.
    if (number instanceof ExactNumber && !token.getText().includes('.')) {
      Object.assign(token, { content: number });
      return;
    }
    if (!token.getText().includes('.') || !Number.isInteger(content)) return;
    Object.assign(token, { content: new Decimal(content) });
  }
}
