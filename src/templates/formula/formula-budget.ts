import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { TemplateError } from '../template.js';
import { MAX_DEPTH, MAX_FORMULA_MS, MAX_MEMORY_UNITS, MAX_STEPS } from './formula-limits.js';

/** The clock costs more than most steps. */
const STEPS_BETWEEN_CHECKS = 32;
const ELEMENTS_OF_UNIT = 4;

/** What one render may use up; each method throws a TemplateError when it is spent. */
export interface FormulaBudget {
  step: (count?: number) => void;
  /** Looks at the clock, which steps do from time to time only. */
  checkTime: () => void;
  /** Counts what was made: a text by its length, a list by its elements. */
  charge: (value: unknown) => void;
  /** Counts memory that no value shows yet, in list elements. */
  chargeElements: (count: number) => void;
  /** Runs `work` one level deeper. */
  deeper: <Result>(work: () => Result) => Result;
}

/** A budget that starts now, of `timeMs` of wall-clock time. */
export function createBudget(timeMs = MAX_FORMULA_MS): FormulaBudget {
  const deadline = performance.now() + timeMs;
  let steps = 0;
  let units = 0;
  let depth = 0;
  const checkTime = () => {
    if (performance.now() > deadline) {
      throw new TemplateError(`The formula takes longer than ${Math.ceil(timeMs)} ms`);
    }
  };
  const use = (count: number) => {
    units += count;
    if (units > MAX_MEMORY_UNITS) throw new TemplateError('The formula needs too much memory');
  };
  return {
    checkTime,
    step(count = 1) {
      steps += count;
      if (steps > MAX_STEPS) throw new TemplateError(`The formula takes more than ${MAX_STEPS} steps`);
      if (steps % STEPS_BETWEEN_CHECKS < count) checkTime();
    },
    charge: (value) => use(unitsOf(value)),
    chargeElements: (count) => use(Math.ceil(count / ELEMENTS_OF_UNIT)),
    deeper(work) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TemplateError(`The formula goes deeper than ${MAX_DEPTH} levels`);
      try {
        return work();
      } finally {
        depth -= 1;
      }
    },
  };
}

function unitsOf(value: unknown): number {
  if (typeof value === 'string') {
    if (value.length > MAX_OUTPUT_CHARACTERS) {
      throw new TemplateError(`A text of ${value.length} characters is too long`);
    }
    return Math.ceil(value.length / 8);
  }
  return Array.isArray(value) ? Math.ceil(value.length / ELEMENTS_OF_UNIT) + 1 : 1;
}
