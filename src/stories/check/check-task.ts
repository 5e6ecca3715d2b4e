import { type CheckedFile, presentFile } from './check-presenter.js';
import { hasFailedCheck } from './check-report.js';
import { CHECKS_HERE } from './checks-here.js';
import { createStoryChecker } from './story-checker.js';

/** The result of a check: the report of one story. */
export interface CheckedStory extends Omit<CheckedFile, 'file'> {
  /** Whether an import of it would succeed and no action would fail. */
  ok: boolean;
}

const checker = createStoryChecker(CHECKS_HERE);

/** For `TASKS`: checks the text of an export as `fabula story check` does. */
export function checkStoryText(text: string): CheckedStory {
  const report = checker.check('', text);
  const { file: _, ...shown } = presentFile(report);
  return { ok: !hasFailedCheck([report], false), ...shown };
}
