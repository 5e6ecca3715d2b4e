// `npm test`: packages, then Jest with the arguments as they are. Progress goes to standard error,
// so that `npm test -- --json` leaves nothing but JSON on standard output.
import { enter, ensurePackages } from './bootstrap.mjs';
import { runNode } from './run.mjs';

await enter(async () => {
  await ensurePackages((line) => process.stderr.write(`${line}\n`));
  return runNode('node_modules/jest/bin/jest.js', process.argv.slice(2));
});
