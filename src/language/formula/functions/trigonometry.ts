import { numberFrom, tidy } from '../evaluation/numbers.js';
import type { FunctionBody, FunctionTable } from './formula-function.js';

/** Angles are in radians. */
export const trigonometry: FunctionTable = {
  SIN: {
    takes: 'angle',
    gives: 'the sine of an angle in radians',
    example: ['SIN(0)', 0],
    run: of(Math.sin),
  },
  COS: {
    takes: 'angle',
    gives: 'the cosine of an angle in radians',
    example: ['COS(0)', 1],
    run: of(Math.cos),
  },
  TAN: {
    takes: 'angle',
    gives: 'the tangent of an angle in radians',
    example: ['TAN(0)', 0],
    run: of(Math.tan),
  },
  ASIN: {
    takes: 'number',
    gives: 'the angle in radians, from -π/2 to π/2, with that sine',
    example: ['ROUND(ASIN(1), 4)', 1.5708],
    run: of(Math.asin),
  },
  ACOS: {
    takes: 'number',
    gives: 'the angle in radians, from 0 to π, with that cosine',
    example: ['ROUND(ACOS(0), 4)', 1.5708],
    run: of(Math.acos),
  },
  ATAN: {
    takes: 'number',
    gives: 'the angle in radians, from -π/2 to π/2, with that tangent',
    example: ['ROUND(ATAN(1), 4)', 0.7854],
    run: of(Math.atan),
  },
};

function of(compute: (number: number) => number): FunctionBody {
  return ([number]) => tidy(compute(numberFrom(number)));
}
