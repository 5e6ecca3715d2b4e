// `npm start`: installs packages, builds, then runs the supervisor in this process.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  const { default: cli } = await import('../dist/cli.bundle.js');
  return cli.start();
});
