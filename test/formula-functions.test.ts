import { evaluateFormula } from '../src/templates/formula/evaluate.js';
import { FUNCTIONS } from '../src/templates/formula/functions/all-functions.js';

describe('the functions of formulas', () => {
  it('are at least 150, each with its name once', () => {
    const names = FUNCTIONS.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(150);
    expect(new Set(names).size).toBe(names.length);
  });

  it('work in exactly one way each: with their values, or deciding themselves which are worked out', () => {
    const wrong = FUNCTIONS.filter(({ run, runLazily }) => (run === undefined) === (runLazily === undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('appear by name in their own examples', () => {
    const wrong = FUNCTIONS.filter(({ name, example: [formula] }) => !formula.includes(`${name}(`));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each(FUNCTIONS.map(({ example: [formula, result] }) => ({ formula, result })))(
    '$formula',
    ({ formula, result }) => {
      expect(evaluateFormula(`=${formula}`, {})).toEqual(result);
    },
  );
});
