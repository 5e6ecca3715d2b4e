import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { checkFaults, corpusScope, corpusTexts, renderFailures } from '../support/template-corpus.js';

const language = createFormulaLanguage();
const texts = corpusTexts(language);
const suite = texts.length > 0 ? describe : describe.skip;

suite('the formulas of real exports (beside the checkout; skipped where they are missing)', () => {
  it('parse, every one, with functions that are known', () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(checkFaults(texts, language)).toEqual([]);
  });

  it('give a value, every one, for an event that has nothing they name', () => {
    expect(renderFailures(texts, language, corpusScope([]))).toEqual([]);
  });
});
