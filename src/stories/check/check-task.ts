import { checkOptions, runnable } from '../../agents/index.js';
import { ignoredOptions, unusablePatterns } from '../../agents/option-faults.js';
import { createFormulaLanguage } from '../../language/formula/formula-language.js';
import { createLiquidLanguage } from '../../language/liquid/liquid-language.js';
import { type CheckedFile, presentFile } from './check-presenter.js';
import { hasFailed } from './check-report.js';
import { createStoryChecker } from './story-checker.js';

/** The result of a check: the report of one story. */
export interface CheckedStory extends Omit<CheckedFile, 'file'> {
  /** Whether an import of it would succeed and no action would fail. */
  ok: boolean;
}

const checker = createStoryChecker({
  agentTypes: { checkOptions, runnable, unusablePatterns, ignoredOptions },
  languages: { liquid: createLiquidLanguage(), formula: createFormulaLanguage() },
});

/** For `TASKS`: checks the text of an export as `fabula story check` does. */
export function checkStoryText(text: string): CheckedStory {
  const report = checker.check('', text);
  const { file: _, ...shown } = presentFile(report);
  return { ok: !hasFailed([report], false), ...shown };
}
