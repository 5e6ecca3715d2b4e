import { readFileSync } from 'node:fs';
import { FORMULA_PAGE, withReference } from '../support/formula-page.js';

describe('the page on formulas', () => {
  it('has the reference of the functions as they are (`npm run docs:formulas` writes it)', () => {
    const page = readFileSync(FORMULA_PAGE, 'utf8');
    expect(page).toBe(withReference(page));
  });
});
