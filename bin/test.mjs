// `npm test`: installs packages, builds (tests start processes from the build), then runs Jest with the same arguments.
// Progress is printed on standard error, so that `npm test -- --json` prints only JSON on standard output.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { runNode } from './run.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  return runNode('node_modules/jest/bin/jest.js', process.argv.slice(2));
});
