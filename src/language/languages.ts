import { createFormulaLanguage } from './formula/formula-language.js';
import { createLiquidLanguage } from './liquid/liquid-language.js';

/** The template languages, by the name that a story stores. */
export function createLanguages() {
  return { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
}
