// `npm start`: installs packages, builds, then runs the supervisor in this process.
import { createRequire } from 'node:module';
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  // Not `import`: it would parse the whole bundle once more, for the names of its exports.
  const cli = createRequire(import.meta.url)('../dist/cli.bundle.js');
  return cli.start();
});
