import { Drop, type FilteredValueToken, type NumberToken, type Token, Tokenizer, TokenKind } from 'liquidjs';

/**
 * A whole number that is meant as a decimal: the literal `2.0`, or what arithmetic with one gives. Filters of
 * arithmetic see it, for all else it is the number.
 */
export class Decimal extends Drop {
  readonly #number: number;

  constructor(number: number) {
    super();
    this.#number = number;
  }

  override valueOf(): number | undefined {
    // `x.__proto__.valueOf` arrives here without what the constructor sets.
    return #number in this ? this.#number : undefined;
  }

  toJSON(): number | undefined {
    return this.valueOf();
  }
}

// Of a Drop liquidjs reads inherited properties too: this one would run.
Object.defineProperty(Decimal.prototype, 'constructor', { value: undefined });

const readFilteredValue: (this: Tokenizer) => FilteredValueToken = Reflect.get(
  Tokenizer.prototype,
  'readFilteredValue',
);

/** Has liquidjs make a Decimal of each literal such as `2.0` that is a value, or an argument of a filter. */
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
    // Of a named argument, `[name, value]`, no arithmetic has use.
    for (const part of [...initial.postfix, ...args]) if (!Array.isArray(part)) keepDecimal(part);
  } else if (token.kind === TokenKind.Number) {
    const { content } = token as NumberToken;
    if (!token.getText().includes('.') || !Number.isInteger(content)) return;
    Object.assign(token, { content: new Decimal(content) });
  }
}
