import { createFormulaLanguage } from './formula/formula-language.js';
import { createLiquidLanguage } from './liquid/liquid-language.js';

/** The languages of stories, by the name that a story has for its own. */
export function createLanguages() {
  return { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
}
