// `npm test`: packages, the build (which the processes that tests start run from), then Jest with the arguments as they are.
// Progress goes to standard error, so that `npm test -- --json` leaves nothing but JSON on standard output.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { runNode } from './run.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  return runNode('node_modules/jest/bin/jest.js', process.argv.slice(2));
});
