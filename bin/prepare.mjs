// `node bin/prepare.mjs`: installs the packages and builds, as a start does, and ends. A release needs no build.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  await ensureBuild(say);
  return 0;
});
