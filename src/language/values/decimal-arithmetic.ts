/** An exact decimal: `digits` × 10^-`scale`. */
interface Decimal {
  digits: bigint;
  scale: number;
}

/** Digits of a quotient behind those that a number can hold. */
const QUOTIENT_DIGITS = 40;

/** Arithmetic on numbers with fractions by their decimal notation, as Ruby's Liquid does: 0.1 + 0.2 is 0.3. */
export const DECIMAL_ARITHMETIC = {
  plus: aligned((left, right) => left + right),
  minus: aligned((left, right) => left - right),
  times: onDecimals((left, right) => ({
    digits: left.digits * right.digits,
    scale: left.scale + right.scale,
  })),
  dividedBy: onDecimals((left, right) => {
    const shift = QUOTIENT_DIGITS + digitCount(right.digits);
    return {
      digits: (left.digits * 10n ** BigInt(shift)) / right.digits,
      scale: left.scale + shift - right.scale,
    };
  }),
  /** The remainder has the sign of the divisor. */
  modulo: aligned((left, right) => ((left % right) + right) % right),
};

type Operation = (left: number, right: number) => number;

function onDecimals(compute: (left: Decimal, right: Decimal) => Decimal): Operation {
  return (left, right) => {
    if (!Number.isFinite(left) || !Number.isFinite(right)) return Number.NaN;
    const { digits, scale } = compute(decimalOf(left), decimalOf(right));
    return Number(`${digits}e${-scale}`);
  };
}

function aligned(compute: (left: bigint, right: bigint) => bigint): Operation {
  return onDecimals((left, right) => {
    const scale = Math.max(left.scale, right.scale);
    const [a, b] = [left, right].map((one) => one.digits * 10n ** BigInt(scale - one.scale));
    return { digits: compute(a ?? 0n, b ?? 0n), scale };
  });
}

/** The exponent of a number has three digits at most, so no power of ten here has more than a few hundred zeros. */
function decimalOf(number: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(number).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function digitCount(digits: bigint): number {
  return String(digits).length;
}
