import { presentTestsReport } from '../../../trial/face.js';
import type { TestedFile } from './test-stories.js';

/** Returns the tests of files as JSON for machines. */
export function presentTestedFiles(files: readonly TestedFile[], ok: boolean) {
  const results = files.flatMap(({ stories }) => stories.flatMap((story) => story.results));
  return {
    ok,
    tests: results.length,
    failed: results.filter((result) => !result.ok).length,
    files: files.map(({ file, refusals, stories }) => ({
      file,
      refusals,
      stories: stories.map((story) => ({ story: story.story, ...presentTestsReport(story) })),
    })),
  };
}
