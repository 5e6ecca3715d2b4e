import { counted } from '../../../platform/text/counted.js';
import { visibleText } from '../../../platform/visible-text.js';
import { type StoryTestsReport, uncoveredTexts } from '../../../trial/face.js';
import { hasFailedTests, isCoveredTooLittle, type TestChoice, type TestedFile } from './test-stories.js';

/** Formats the tests of files as text: each test with its differences, what no test reaches, and the totals. */
export function testsText(files: readonly TestedFile[], choice: TestChoice): string {
  const blocks = [...files.map((file) => fileLines(file, choice)), [totals(files, choice)]];
  // Names come from the file: a line end or an escape sequence in them must not reach the terminal.
  return blocks
    .map((lines) => lines.map((line) => visibleText(line.replace(/\s/g, ' '))).join('\n'))
    .join('\n\n');
}

function fileLines({ file, refusals, stories }: TestedFile, choice: TestChoice): string[] {
  return [
    ...(stories.length === 0 ? [file] : []),
    ...refusals.map((refusal) => `  refused  ${refusal}`),
    ...stories.flatMap((story) => [`${file}: "${story.story}"`, ...storyLines(story, choice)]),
  ];
}

function storyLines(story: StoryTestsReport, { minCoverage }: TestChoice): string[] {
  const { results } = story;
  const isUntested = results.length === 0;
  return [
    ...(isUntested ? ['  no tests'] : []),
    ...results.flatMap(({ name, ok, differences, problems }) => [
      `  ${ok ? '✓' : '✗'} ${name}`,
      ...[...problems, ...differences.map(({ text }) => text)].map((fault) => `      ${fault}`),
    ]),
    ...(isUntested && minCoverage === undefined ? [] : coverageLines(story, minCoverage)),
  ];
}

function coverageLines(story: StoryTestsReport, minCoverage: number | undefined): string[] {
  const missing = uncoveredTexts(story.coverage);
  return [
    `  ${coverageText(story)}${isCoveredTooLittle(story, minCoverage) ? `, less than ${minCoverage} %` : ''}`,
    ...(story.coverage.covered === 0 ? [] : missing.map((text) => `      ${text}`)),
  ];
}

/** Returns `covers 6 of 9 parts (66 %)`. */
export function coverageText({ coverage: { covered, all } }: StoryTestsReport): string {
  return `covers ${covered} of ${counted(all, 'part')} (${percentOf(covered, all)} %)`;
}

/** Returns the whole percent, rounded down: 100 means everything. */
export function percentOf(covered: number, all: number): number {
  return all === 0 ? 100 : Math.floor((covered * 100) / all);
}

function totals(files: readonly TestedFile[], choice: TestChoice): string {
  const results = files.flatMap(({ stories }) => stories.flatMap((story) => story.results));
  const failed = results.filter(({ ok }) => !ok).length;
  const refused = files.filter(({ refusals }) => refusals.length > 0).length;
  const low = files.flatMap(({ stories }) =>
    stories.filter((story) => isCoveredTooLittle(story, choice.minCoverage)),
  ).length;
  const parts = [
    counted(results.length, 'test'),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(refused > 0 ? [`${counted(refused, 'file')} refused`] : []),
    ...(low > 0 ? [`${low} covered too little`] : []),
  ];
  const isWell = results.length > 0 && !hasFailedTests(files, choice);
  return `${parts.join(', ')}${isWell ? ', all passed' : ''}`;
}
