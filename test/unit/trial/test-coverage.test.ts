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

  /** Six actions and seven links, three of them for failure: 13 parts. */
  it('of a fan-out, where each link for failure is a part of its own', async () => {
    // All take it: five actions and four links.
    expect((await coverageOf('webhook-fan-out', [0])).parts).toEqual([9, 13]);
    // The archive refuses: the sixth action, along its link for failure.
    expect((await coverageOf('webhook-fan-out', [1])).parts).toEqual([11, 13]);
    // Chat and tickets refuse: two links for failure lead to the same action.
    expect(await coverageOf('webhook-fan-out', [2])).toEqual({
      parts: [12, 13],
      missing: ['no test takes "Keep a copy" > "Tell operations" (failure)'],
    });
    expect((await coverageOf('webhook-fan-out', [0, 1, 2])).parts).toEqual([13, 13]);
  });

  /** Seven actions, six links, and one rule with two branches: 15 parts. The called story has none of them. */
  it('of a story that calls another for each element, and groups what comes back', async () => {
    // All actions and links, and the rule holds.
    expect((await coverageOf('send-to-story-library', [0])).parts).toEqual([14, 15]);
    // A clean address: six actions, five links, and the rule fails.
    expect(await coverageOf('send-to-story-library', [1])).toEqual({
      parts: [12, 15],
      missing: ['no test reaches "Block them"', 'no test sees rule 1 of "Is one malicious?" hold'],
    });
  });

  /** 13 actions, 13 links, and five rules with two branches each, three of them of one trigger: 36 parts. */
  it('of a trigger with several rules, links for no match, and tests that begin in the middle', async () => {
    // 11 actions and 10 links, two of them for no match; three rules hold, two others fail.
    expect((await coverageOf('impossible-travel', [0])).parts).toEqual([26, 36]);
    // It begins at the fifth of them: four actions, three links, and two rules hold.
    expect((await coverageOf('impossible-travel', [1])).parts).toEqual([9, 36]);
    // Four actions, three links; the speed is too low, the two other rules of the same trigger hold.
    expect((await coverageOf('impossible-travel', [2])).parts).toEqual([10, 36]);
    // Three actions, a link for no match and one for failure, and the rule fails.
    expect((await coverageOf('impossible-travel', [3])).parts).toEqual([6, 36]);
    expect(await coverageOf('impossible-travel', [0, 1, 2, 3])).toEqual({
      parts: [34, 36],
      missing: [
        'no test sees rule 2 of "Is it too fast?" fail',
        'no test sees rule 3 of "Is it too fast?" fail',
      ],
    });
  });

  /** 12 actions, 12 links, one of which leads back, and three rules with two branches: 30 parts. */
  it('of a circle of actions, whose parts count once', async () => {
    // Nobody answers: all but two actions and the two links to them; both branches of "Is there a level?", one of each other.
    expect(await coverageOf('on-call-escalation', [0])).toEqual({
      parts: [24, 30],
      missing: [
        'no test reaches "First one has it"',
        'no test reaches "Write down who"',
        'no test sees rule 1 of "Is it taken?" hold',
        'no test sees rule 1 of "Has nobody taken it?" fail',
      ],
    });
  });
});
