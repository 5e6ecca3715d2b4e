import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createFormulaLanguage, createLiquidLanguage } from '../../../src/language/face.js';
import { createSilentLogger } from '../../../src/platform/logger.js';
import { readExport } from '../../../src/stories/check/story-checker.js';
import { testsIn } from '../../../src/stories/tests/test-form.js';
import { uncoveredTexts } from '../../../src/trial/tests/present-tests.js';
import { runStoryTests } from '../../../src/trial/tests/run-tests.js';

const GALLERY = path.resolve(__dirname, '../../../assets/gallery');
const deps = {
  languages: { liquid: createLiquidLanguage(), formula: createFormulaLanguage() },
  limits: { maxAttempts: 3, maxDepth: 100, maxCallDepth: 5, maxEvents: 1_000 },
  domain: 'localhost',
  baseUrl: 'http://localhost:3000',
  logger: createSilentLogger(),
};

/** Runs these tests of a story of the gallery. */
async function coverageOf(story: string, positions: number[]) {
  const { request } = readExport(readFileSync(path.join(GALLERY, story, 'story.json'), 'utf8'));
  const all = testsIn(request!.data);
  const tests = positions.map((index) => all[index]!);
  const { results, coverage } = await runStoryTests(request!, tests, deps);
  expect(results.flatMap(({ differences, problems }) => [...differences, ...problems])).toEqual([]);
  return { parts: [coverage.covered, coverage.all], missing: uncoveredTexts(coverage) };
}

describe('stories as software: coverage, as counted by hand', () => {
  /** Eight actions, seven links, and one rule with two branches: 17 parts. */
  it('of alert triage', async () => {
    // The low alert goes through five actions to the note (6), along five links, and the rule fails: 6 + 5 + 1.
    expect(await coverageOf('alert-triage', [1])).toEqual({
      parts: [12, 17],
      missing: [
        'no test reaches "Open a ticket"',
        'no test reaches "Tell who is on call"',
        'no test sees rule 1 of "Is it urgent?" hold',
      ],
    });
    // The high one goes through seven actions along six links, and the rule holds: 7 + 6 + 1.
    expect((await coverageOf('alert-triage', [0])).parts).toEqual([14, 17]);
    expect(await coverageOf('alert-triage', [0, 1])).toEqual({ parts: [17, 17], missing: [] });
  });

  /** Seven actions, six links (one of them for failure), and one rule with two branches: 15 parts. */
  it('of errors that mend themselves', async () => {
    // A retry is no other part: four actions, three links, and the rule holds.
    expect((await coverageOf('errors-with-monitor', [0])).parts).toEqual([8, 15]);
    // The refusal takes the link for failure: four actions and three links, and the trigger is not reached.
    expect((await coverageOf('errors-with-monitor', [2])).parts).toEqual([7, 15]);
    // Two actions and one link are in both: 8 + 7 - 3.
    expect(await coverageOf('errors-with-monitor', [0, 2])).toEqual({
      parts: [12, 15],
      missing: ['no test reaches "Use the old account"', 'no test sees rule 1 of "Is it new?" fail'],
    });
  });

  /** Five actions, four links, and one rule with two branches: 11 parts. */
  it('of a watch of web sites', async () => {
    // All is well: the run ends at the trigger, the third action, whose rule fails.
    expect((await coverageOf('website-watch', [1])).parts).toEqual([6, 11]);
    // One site is down: every part but the rule that fails.
    expect(await coverageOf('website-watch', [0])).toEqual({
      parts: [10, 11],
      missing: ['no test sees rule 1 of "Is any down?" fail'],
    });
  });
});
