import { createFormulaLanguage, createLiquidLanguage } from '../../../src/language/face.js';
import { createSilentLogger } from '../../../src/platform/logger.js';
import { testsIn, testsProblems } from '../../../src/stories/tests/test-form.js';
import { TESTS_KEY } from '../../../src/stories/tests/story-test.js';
import { runStoryTests, type StoryTestsReport } from '../../../src/trial/tests/run-tests.js';
import { galleryFolders } from '../../support/gallery.js';
import { requestOf } from '../../support/try-golden.js';

const deps = {
  languages: { liquid: createLiquidLanguage(), formula: createFormulaLanguage() },
  limits: { maxAttempts: 10, maxDepth: 20_000, maxCallDepth: 10, maxEvents: 20_000 },
  domain: 'localhost',
  baseUrl: 'http://localhost:3000',
  logger: createSilentLogger(),
};

describe('stories as software: tests of the gallery', () => {
  describe.each(galleryFolders())('%s', (_slug, { text, event, answers, values }) => {
    const request = requestOf(text);
    const tests = testsIn(request.data);
    let report: StoryTestsReport;
    beforeAll(async () => (report = await runStoryTests(request, tests, deps)));

    test('has two or more, without a fault, and all pass', () => {
      expect(testsProblems(request.data[TESTS_KEY], '')).toEqual([]);
      expect(tests.length).toBeGreaterThanOrEqual(2);
      expect(failuresIn(report)).toEqual([]);
    });

    test('reaches all actions and links, and nine tenths of all parts', () => {
      const { actions, links, covered, all } = report.coverage;
      expect([...actions, ...links].filter((part) => !part.covered)).toEqual([]);
      expect(covered / all).toBeGreaterThanOrEqual(0.9);
    });

    // The console and the command line try a story with the files beside it.
    test('begins with the sample of its folder', () => {
      const { body = {}, resources, answers: rules } = tests[0] ?? {};
      expect({ body, resources, rules }).toEqual({
        body: event,
        resources: values.resources,
        rules: answers,
      });
    });
  });
});

/** The failed tests by name, with what is wrong. */
function failuresIn({ results }: StoryTestsReport): object[] {
  return results
    .filter(({ ok }) => !ok)
    .map(({ name, differences, problems }) => ({
      name,
      wrong: [...problems, ...differences.map(({ text }) => text)],
    }));
}
