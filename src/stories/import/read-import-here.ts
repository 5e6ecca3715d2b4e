import { checkOptions, runnable } from '../../agents/index.js';
import { createFormulaLanguage } from '../../language/formula/formula-language.js';
import { createLiquidLanguage } from '../../language/liquid/liquid-language.js';
import { type ReadImport, readImport } from './read-import.js';
import type { TemplateChecker } from './warnings.js';

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
const checkTemplates: TemplateChecker = (text, language) => languages[language].check(text);

/** Reads the body of an import with the agent types and languages of this server. */
export function readImportHere(body: unknown): ReadImport {
  return readImport(body, { agentTypes: { checkOptions, runnable }, checkTemplates });
}
