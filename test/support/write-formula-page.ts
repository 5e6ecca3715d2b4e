import { readFileSync, writeFileSync } from 'node:fs';
import { FORMULA_PAGE, withReference } from './formula-page.js';

/** `npm run docs:formulas`: writes the functions into docs/build/formulas.md. */
writeFileSync(FORMULA_PAGE, withReference(readFileSync(FORMULA_PAGE, 'utf8')));
