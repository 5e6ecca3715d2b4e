#!/usr/bin/env node
// `npm run -s fabula -- <command>`: the command line. Progress goes to standard error: standard output is only for the command.
// `fabula start` is `npm start`, for those who installed the package.
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { runNode } from './run.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

async function runCommand() {
  await ensurePackages(say);
  await ensureBuild(say);
  return runNode('dist/cli.js', process.argv.slice(2), process.cwd());
}

await (process.argv[2] === 'start' ? import('./start.mjs') : enter(runCommand));
