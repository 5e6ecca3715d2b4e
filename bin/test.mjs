// `npm test`: installs packages, builds (tests start processes from the build), then runs Jest with the same arguments.
// Progress is printed on standard error, so that `npm test -- --json` prints only JSON on standard output.
import { spawn } from 'node:child_process';
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

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  const args = [...SHORT_LIVED, 'node_modules/jest/bin/jest.js', ...process.argv.slice(2)];
  return untilExit(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));
});
