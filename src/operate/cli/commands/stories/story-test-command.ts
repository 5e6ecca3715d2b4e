import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { createStreamLogger } from '../../../../platform/logger.js';
import type { Cli } from '../../cli.js';
import { offlineConfig } from '../../cli-environment.js';
import { junitXml } from '../../tests/junit-xml.js';
import { presentTestedFiles } from '../../tests/present-tested-files.js';
import { hasFailedTests, testStories } from '../../tests/test-stories.js';
import { testsText } from '../../tests/tests-text.js';
import { trialSettings } from '../../trial-settings.js';

interface TestOptions {
  junit?: string;
  test?: string[];
  minCoverage?: string;
  timeout: string;
}

/** Far above any test: one takes milliseconds. */
const TIMEOUT_SECONDS = '30';
const MOST_SECONDS = 3_600;

/** `story test`: runs the tests of stories in this process. Needs no database. */
export function addStoryTest(story: Command, cli: Cli): void {
  story
    .command('test')
    .description('run the tests of stories without a database; exit code 1 if one fails')
    .argument(
      '<file...>',
      'stories of any form: exports or import bodies, JSON or YAML, folders of stories, folders with several; - for standard input. Stories that call each other are given together',
    )
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--test <name>', 'run only the test of this name; repeatable', collected)
    .option('--min-coverage <percent>', 'fail if the tests of a story reach less of it')
    .option(
      '--timeout <seconds>',
      'a test that runs longer is stopped and fails; the others go on',
      TIMEOUT_SECONDS,
    )
    .action(
      cli.offlineAction(async ({ junit, test = [], minCoverage, timeout }: TestOptions, files) => {
        const choice = { names: test, minCoverage: percent(minCoverage) };
        const settings = trialSettings(offlineConfig(cli.io.env));
        const deps = {
          ...settings,
          limits: { ...settings.limits, maxMs: seconds(timeout) * 1_000 },
          logger: createStreamLogger({ level: 'error', stream: cli.io.stderr }),
        };
        const tested = await testStories(cli.io, files, choice, deps);
        if (junit !== undefined) await writeFile(junit, junitXml(tested, choice));
        const failed = hasFailedTests(tested, choice);
        return {
          json: presentTestedFiles(tested, !failed),
          text: testsText(tested, choice),
          failed,
        };
      }),
    );
}

/** @throws Error for anything but 0 to 100. */
function percent(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d{1,3}(\.\d+)?$/.test(text) || number > 100)
    throw new Error(`"${text}" is no percentage from 0 to 100`);
  return number;
}

/** @throws Error for anything but a number above 0, up to an hour. */
function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || number === 0 || number > MOST_SECONDS)
    throw new Error(`"${text}" is no number of seconds up to ${MOST_SECONDS}`);
  return number;
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}
