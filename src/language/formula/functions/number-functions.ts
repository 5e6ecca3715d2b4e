import { TemplateError } from '../../../platform/text/template-error.js';
import { isNothing, textOf } from '../../values/values.js';
import { plainDigits, wholePartOf } from '../../../platform/json/exact-arithmetic.js';
import { compareNumbers, type Numeric, readNumeric } from '../../../platform/json/exact-number.js';
import {
  add,
  divide,
  floorDivide,
  greatest,
  least,
  limitedArithmetic,
  magnitude,
  raise,
  remainder,
  round,
} from '../../values/arithmetic.js';
import { divisor, OPERATIONS } from '../evaluation/formula-operators.js';
import { isFraction } from '../../values/decimals.js';
import {
  numberFrom,
  numericFrom,
  numericIn,
  presentNumber,
  tidy,
  wholeFrom,
  wholeNumericFrom,
} from '../evaluation/numbers.js';
import { roundedTo } from '../../values/rounding.js';
import type { FunctionBody, FunctionTable } from './formula-function.js';
import { flatItems } from './values/selectors.js';

/** Functions on numbers, and texts that are numbers; NULL and the empty text are 0. */
export const numberFunctions: FunctionTable = {
  NUMBER: {
    takes: 'value, other?',
    gives: 'the text as a number; the other value, or NULL, if it is not a number',
    example: ['NUMBER("12.50")', 12.5],
    run: ([value, other]) => numericIn(value) ?? other,
  },
  INTEGER: {
    takes: 'value',
    gives: 'the number without its decimals',
    example: ['INTEGER("12.9")', 12],
    run: ([value]) => wholeNumericFrom(value),
  },
  IS_NUMBER: {
    takes: 'value',
    gives: 'TRUE for numbers and numeric text',
    example: ['IS_NUMBER("1e3")', true],
    run: ([value]) => numericIn(value) !== undefined,
  },
  PLUS: {
    takes: 'number, number',
    gives: 'the sum',
    example: ['PLUS("0.1", 0.2)', 0.3],
    isArithmetic: true,
    run: ([left, right], { step }) => OPERATIONS['+'](left, right, step),
  },
  MINUS: {
    takes: 'number, number',
    gives: 'the difference',
    example: ['MINUS(10, 3)', 7],
    isArithmetic: true,
    run: ([left, right], { step }) => OPERATIONS['-'](left, right, step),
  },
  TIMES: {
    takes: 'number, number',
    gives: 'the product',
    example: ['TIMES(5, 3)', 15],
    isArithmetic: true,
    run: ([left, right], { step }) => OPERATIONS['*'](left, right, step),
  },
  DIVIDED_BY: {
    takes: 'number, divisor',
    gives:
      'the quotient; of two whole numbers rounded down (`/` is not rounded). A number with a decimal point is not whole: `2.0`, `"2.0"`, `n * 1.0`',
    example: ['DIVIDED_BY(7, 2) + DIVIDED_BY(7, 2.0)', 6.5],
    isArithmetic: true,
    run: ([left, right], { isDecimal }) => {
      const values: [Numeric, Numeric] = [numericFrom(left), divisor(right)];
      return isDecimal || isFraction(left) || isFraction(right)
        ? presentNumber(divide(...values))
        : floorDivide(...values);
    },
  },
  MODULO: {
    takes: 'number, divisor',
    gives: 'the remainder of the division, with the sign of the divisor',
    example: ['MODULO(-7, 3)', 2],
    isArithmetic: true,
    run: ([left, right]) => remainder(numericFrom(left), divisor(right)),
  },
  POWER: {
    takes: 'number, exponent',
    gives: 'the number to that power',
    example: ['POWER(2, 10)', 1024],
    run: ([number, exponent]) => poweredBy(numericFrom(number), numericFrom(exponent)),
  },
  SQRT: {
    takes: 'number',
    gives: 'the square root',
    example: ['SQRT(9)', 3],
    run: ([number]) => tidy(Math.sqrt(numberFrom(number))),
  },
  LOG: {
    takes: 'number, base?',
    gives: 'the logarithm; default base 10',
    example: ['LOG(8, 2)', 3],
    run: ([number, base]) =>
      tidy(
        base === undefined
          ? Math.log10(numberFrom(number))
          : Math.log(numberFrom(number)) / Math.log(numberFrom(base)),
      ),
  },
  EXP: {
    takes: 'number',
    gives: 'e to that power',
    example: ['EXP(0)', 1],
    run: ([number]) => tidy(Math.exp(numberFrom(number))),
  },
  ABS: {
    takes: 'number',
    gives: 'the number without its sign',
    example: ['ABS(-5)', 5],
    isArithmetic: true,
    run: ([number]) => magnitude(numericFrom(number)),
  },
  SIGN: {
    takes: 'number',
    gives: '-1, 0 or 1',
    example: ['SIGN(-5)', -1],
    run: ([number]) => Math.sign(compareNumbers(numericFrom(number), 0)),
  },
  ROUND: {
    takes: 'number, precision?',
    otherNames: { digits: 1 },
    gives: 'the number rounded, halves away from 0',
    example: ['ROUND(2.345, 2)', 2.35],
    run: ([number, precision]) => roundedTo(numericFrom(number), wholeFrom(precision)),
  },
  CEIL: {
    takes: 'number',
    gives: 'the number rounded up',
    example: ['CEIL(1.2)', 2],
    run: ([number]) => round(numericFrom(number), 0, 'up'),
  },
  FLOOR: {
    takes: 'number',
    gives: 'the number rounded down',
    example: ['FLOOR(-1.2)', -2],
    run: ([number]) => round(numericFrom(number), 0, 'down'),
  },
  AT_LEAST: {
    takes: 'number, limit',
    gives: 'the larger number',
    example: ['AT_LEAST(3, 5)', 5],
    isArithmetic: true,
    run: ([number, limit]) => greatest(numericFrom(number), numericFrom(limit)),
  },
  AT_MOST: {
    takes: 'number, limit',
    gives: 'the smaller number',
    example: ['AT_MOST(9, 5)', 5],
    isArithmetic: true,
    run: ([number, limit]) => least(numericFrom(number), numericFrom(limit)),
  },
  CLAMP: {
    takes: 'number, lowest, highest',
    gives: 'the number, limited to the range',
    example: ['CLAMP(12, 0, 10)', 10],
    run: ([number, lowest, highest]) =>
      greatest(least(numericFrom(number), numericFrom(highest)), numericFrom(lowest)),
  },
  MIN: {
    takes: 'number, more…',
    gives: 'the smallest number; lists count by their elements. NULL without values',
    example: ['MIN(3, [1, 2])', 1],
    run: ofNumbers((numbers) => numbers.reduce(least)),
  },
  MAX: {
    takes: 'number, more…',
    gives: 'the largest number; lists count by their elements. NULL without values',
    example: ['MAX(3, [1, 7])', 7],
    run: ofNumbers((numbers) => numbers.reduce(greatest)),
  },
  AVERAGE: {
    takes: 'number, more…',
    gives: 'the mean; lists count by their elements. NULL without values',
    example: ['AVERAGE([1, 2, 6])', 3],
    run: ofNumbers((numbers) => divide(numbers.reduce(add), numbers.length)),
  },
  MEDIAN: {
    takes: 'number, more…',
    gives: 'the median. NULL of nothing',
    example: ['MEDIAN([5, 1, 3, 10])', 4],
    run: ofNumbers((numbers) => {
      const sorted = numbers.toSorted(compareNumbers);
      const middle = sorted.length >> 1;
      return divide(add(sorted[middle] ?? 0, sorted[sorted.length - 1 - middle] ?? 0), 2);
    }),
  },
  IS_EVEN: {
    takes: 'number',
    gives: 'TRUE for even numbers',
    example: ['IS_EVEN(4)', true],
    run: ([number]) => remainder(numericFrom(number), 2) === 0,
  },
  IS_ODD: {
    takes: 'number',
    gives: 'TRUE for odd numbers',
    example: ['IS_ODD(4)', false],
    run: ([number]) => remainder(numericFrom(number), 2) === 1,
  },
  FORMAT_NUMBER: {
    takes: 'number, decimals?, separator?, point?',
    gives: 'the number as text with `,` between thousands and `.` before the decimals, or others',
    example: ['FORMAT_NUMBER(1234567.891, 2)', '1,234,567.89'],
    run: ([number, decimals, separator, point]) => {
      const value = numericFrom(number);
      const rounded = decimals === undefined ? value : roundedTo(value, digitsFrom(decimals));
      const fixed = decimals === undefined ? String(rounded) : fixedText(rounded, digitsFrom(decimals));
      const [whole = '', fraction] = fixed.split('.');
      const grouped = /e/.test(whole)
        ? whole
        : whole.replace(/\B(?=(?:\d{3})+$)/g, () => textOf(separator ?? ','));
      return fraction === undefined ? grouped : `${grouped}${textOf(point ?? '.')}${fraction}`;
    },
  },
  TO_BASE: {
    takes: 'number, base',
    gives: 'the whole number in a base from 2 to 36, as text',
    example: ['TO_BASE(255, 16)', 'ff'],
    run: ([number, base]) => wholeText(numericFrom(number), baseFrom(base)),
  },
  FROM_BASE: {
    takes: 'text, base',
    gives: 'the text parsed as a whole number in a base from 2 to 36; NULL if it is not one',
    example: ['FROM_BASE("ff", 16)', 255],
    run: ([text, base]) => {
      const [digits, radix] = [textOf(text).trim().toLowerCase(), baseFrom(base)];
      const number = Number.parseInt(digits, radix);
      const plain = digits.replace(/^\+|(?<=^-?)0+(?=.)/g, '');
      if (Number.isFinite(number) && !Number.isSafeInteger(number)) return largeFrom(plain, radix);
      return number.toString(radix) === plain ? number : null;
    },
  },
};

function ofNumbers(compute: (numbers: Numeric[]) => Numeric): FunctionBody {
  return (values, call) => {
    const numbers = flatItems(values, call)
      .filter((value) => !isNothing(value))
      .map((value) => numericFrom(value));
    return numbers.length === 0 ? null : compute(numbers);
  };
}

/** An approximate power, of a decimal exponent, has 15 digits. */
function poweredBy(base: Numeric, exponent: Numeric): Numeric {
  const result = raise(base, exponent);
  return typeof result === 'number' ? tidy(result) : result;
}

const fixedText = limitedArithmetic((value: Numeric, decimals: number) =>
  typeof value === 'number' ? value.toFixed(decimals) : plainDigits(value, decimals),
);

const wholeText = limitedArithmetic((value: Numeric, base: number) => wholePartOf(value).toString(base));

const MOST_LARGE_DIGITS = 1_000;

/** Returns a whole number beyond 2^53 that is written in another base; null if the text is none. */
function largeFrom(text: string, base: number): Numeric | null {
  const digits = text.replace(/^-/, '');
  if (digits.length > MOST_LARGE_DIGITS)
    throw new TemplateError(`the text has more than ${MOST_LARGE_DIGITS} digits`);
  let value = 0n;
  for (const digit of digits) {
    const one = Number.parseInt(digit, base);
    if (Number.isNaN(one)) return null;
    value = value * BigInt(base) + BigInt(one);
  }
  return readNumeric(`${text.startsWith('-') ? '-' : ''}${value}`);
}

function digitsFrom(value: unknown): number {
  return Math.min(Math.max(wholeFrom(value), 0), 20);
}

function baseFrom(value: unknown): number {
  const base = wholeFrom(value);
  if (base < 2 || base > 36) throw new TemplateError('the base must be a number from 2 to 36');
  return base;
}
