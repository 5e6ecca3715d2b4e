import { MAX_FAULT_CHARACTERS } from '../limits.js';
import { positionAt } from '../values/position.js';
import { shortened } from '../../platform/text/shortened.js';
import { TemplateError } from '../../platform/text/template-error.js';

/** A fault at a position in a text with formulas; `offset` counts its characters from 0. */
export class FormulaFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'FormulaFault';
    this.offset = offset;
  }
}

/** Converts any thrown error to a fault; an error without a position is assigned `offset`. */
export function faultAt(offset: number, error: unknown, prefix = ''): FormulaFault {
  if (error instanceof FormulaFault) return error;
  if (error instanceof TemplateError) {
    return new FormulaFault(prefix + error.message, offset, { cause: error });
  }
  if (error instanceof RangeError) {
    return new FormulaFault(`${prefix}nested too deeply, or the result is too large`, offset, {
      cause: error,
    });
  }
  throw error;
}

/** Converts an error to the public one: with line and column instead of an offset into `source`. */
export function toFormulaError(error: unknown, source: string): TemplateError {
  const { message: fault, offset, cause } = faultAt(0, error);
  const message = shortened(fault, MAX_FAULT_CHARACTERS);
  const place = positionAt(source, offset);
  return new TemplateError(`${message} (line ${place.line}, column ${place.column})`, {
    cause,
    problem: { message, ...place },
  });
}
