import type { StoryCheck } from '../../../../../clients/typescript/api.js';

/** Returns in a few words whether a story can be imported and will run. */
export function inWords(check: StoryCheck): string {
  if (check.refusals.length > 0) return 'cannot be imported';
  if (!check.ok) return 'can be imported, but parts will not work';
  const found = (check.story?.actions ?? []).some(({ findings }) =>
    findings.some(({ level }) => level !== 'hint'),
  );
  if (found || check.warnings.length > 0) return 'can be imported, with findings';
  const isMissing = Object.values(check.needs).some((names) => names.length > 0);
  return isMissing ? 'can be imported, with missing values' : 'no problems found';
}
