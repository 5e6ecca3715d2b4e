// `npm test`: installs packages, builds (tests start processes from the build), then runs Jest with the same arguments: the tests
// that each change must pass, or those that are named. `--suites=doors,floods` runs other suites of test/suites.json instead, and
// `--suites=all` runs all. Progress is printed on standard error, so that `npm test -- --json` prints only JSON on standard output.
import { spawn } from 'node:child_process';
import { SUITES_ARG, suitesToRun } from '../test/support/suites.js';
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { root, untilExit } from './run.mjs';

/**
 * Flags of Node 20 for Jest and its workers. Jest loads the code anew for each test file, so most of it runs for seconds only.
 * Then it is cheaper not to optimize it, and to collect garbage without more threads. Newer versions do not know these flags.
 */
const SHORT_LIVED = process.version.startsWith('v20.')
  ? ['--single-threaded-gc', '--interrupt-budget=1000000']
  : [];

const say = (line) => process.stderr.write(`${line}\n`);
const given = process.argv.slice(2);
const forJest = given.filter((arg) => !arg.startsWith(SUITES_ARG));
const suites = suitesToRun(given);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  const args = [...SHORT_LIVED, 'node_modules/jest/bin/jest.js', ...forJest];
  const env = { ...process.env, FABULA_TEST_SUITES: suites };
  return untilExit(spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }));
});
