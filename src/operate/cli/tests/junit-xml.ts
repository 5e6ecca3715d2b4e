import { escapeHtml } from '../../../platform/text/escape-html.js';
import type { StoryTestsReport, TestResult } from '../../../trial/face.js';
import { isCoveredTooLittle, type TestChoice, type TestedFile } from './test-stories.js';
import { coverageText, percentOf } from './tests-text.js';

/** A test case of the report. */
interface Case {
  name: string;
  tookMs: number;
  /** Undefined: it passed. */
  fault?: { tag: 'failure' | 'error'; texts: string[] } | undefined;
}

/** A test suite: the tests of one story. */
interface Suite {
  name: string;
  file: string;
  cases: Case[];
  coverage?: number;
}

/**
 * Returns the report as JUnit XML, as GitHub's and GitLab's readers take it: a suite for each story. A file that an import
 * refuses is an error of its suite; coverage is a test case if it must reach a limit.
 */
export function junitXml(files: readonly TestedFile[], choice: TestChoice): string {
  const suites = files.flatMap((file) => suitesOf(file, choice));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'fabula story test', ...sums(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function suitesOf({ file, refusals, stories }: TestedFile, choice: TestChoice): Suite[] {
  const refused: Case = { name: 'Import', tookMs: 0, fault: { tag: 'error', texts: refusals } };
  return [
    ...(refusals.length > 0 ? [{ name: file, file, cases: [refused] }] : []),
    ...stories.map((story) => ({
      name: story.story,
      file,
      cases: [...story.results.map(caseOf), ...coverageCases(story, choice)],
      coverage: percentOf(story.coverage.covered, story.coverage.all),
    })),
  ];
}

function caseOf({ name, tookMs, ok, differences, problems }: TestResult): Case {
  if (ok) return { name, tookMs };
  const tag = differences.length > 0 ? 'failure' : 'error';
  return { name, tookMs, fault: { tag, texts: [...problems, ...differences.map(({ text }) => text)] } };
}

function coverageCases(story: StoryTestsReport, { minCoverage }: TestChoice): Case[] {
  if (minCoverage === undefined) return [];
  const text = `${coverageText(story)}, less than ${minCoverage} %`;
  const isLow = isCoveredTooLittle(story, minCoverage);
  return [
    { name: 'Coverage', tookMs: 0, ...(isLow && { fault: { tag: 'failure' as const, texts: [text] } }) },
  ];
}

function suiteLines({ name, file, cases, coverage }: Suite): string[] {
  return [
    `  <testsuite${attributes({ name, file, ...sums(cases) })}>`,
    ...(coverage === undefined
      ? []
      : [
          '    <properties>',
          `      <property${attributes({ name: 'coverage', value: coverage })}/>`,
          '    </properties>',
        ]),
    ...cases.flatMap((each) => caseLines(each, name, file)),
    '  </testsuite>',
  ];
}

function caseLines({ name, tookMs, fault }: Case, suite: string, file: string): string[] {
  const open = `    <testcase${attributes({ name, classname: suite, file, time: seconds(tookMs) })}`;
  if (fault === undefined) return [`${open}/>`];
  const { tag, texts } = fault;
  const [message = ''] = texts;
  return [
    `${open}>`,
    `      <${tag}${attributes({ message, type: tag })}>${xmlText(texts.join('\n'))}</${tag}>`,
    '    </testcase>',
  ];
}

function sums(cases: Case[]) {
  const faults = (tag: string) => cases.filter(({ fault }) => fault?.tag === tag).length;
  return {
    tests: cases.length,
    failures: faults('failure'),
    errors: faults('error'),
    skipped: 0,
    time: seconds(cases.reduce((ms, { tookMs }) => ms + tookMs, 0)),
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll(/[\t\n\r]/g, characterNumber)}"`)
    .join('');
}

/** A reader of XML turns line ends in attributes into spaces, unless they are written as numbers. */
const characterNumber = (character: string) => `&#${character.codePointAt(0)};`;

/** The characters that XML 1.0 has no form for. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function xmlText(text: string): string {
  return escapeHtml(text.replaceAll(NOT_XML, ''));
}
