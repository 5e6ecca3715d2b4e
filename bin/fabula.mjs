// `npm run -s fabula -- <command>`: the command line. Progress goes to standard error: standard output is only for the command.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { runNode } from './run.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  return runNode('dist/src/cli/fabula.js', process.argv.slice(2), process.cwd());
});
