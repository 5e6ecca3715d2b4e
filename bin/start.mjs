// `npm start`: installs packages, builds, then runs the supervisor in this process.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  const { main } = await import('../dist/src/cli/start/start.js');
  return main();
});
