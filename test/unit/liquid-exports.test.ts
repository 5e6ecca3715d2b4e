import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { checkFaults, corpusScope, corpusTexts, renderFailures } from '../support/template-corpus.js';

const language = createLiquidLanguage();
const texts = corpusTexts(language);
const suite = texts.length > 0 ? describe : describe.skip;

suite('the Liquid texts of real exports (beside the checkout; skipped where they are missing)', () => {
  it('parse, every one, with filters and tags that are known', () => {
    expect(texts.length).toBeGreaterThan(1_500);
    expect(checkFaults(texts, language)).toEqual([]);
  });

  it('render, every one, with an event that has nothing they name', () => {
    expect(renderFailures(texts, language, corpusScope('resource'))).toEqual([]);
  });
});
