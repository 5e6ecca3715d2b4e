// `npm run dev`: everything that `npm start` runs; web and worker are restarted after each change of the sources.
// This process compiles and watches. The supervisor is a child: it may change its user, who need not write here.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { enter, ensurePackages, timed } from './bootstrap.mjs';
import { createDevBuild, OUTPUT, SOURCES } from './dev-build.mjs';
import { root, untilExit } from './run.mjs';
import { watchFolders } from './watch-folders.mjs';

const PARENT_POLL_MS = 500;
const say = (line) => process.stdout.write(`${line}\n`);

await enter(async () => {
  await ensurePackages(say);
  const build = await createDevBuild();
  await timed(say, 'Compiling', () => untilCompiled(build));
  const supervisor = spawn(process.execPath, [path.join(OUTPUT, 'dev.js'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --enable-source-maps`.trim() },
  });
  const unwatch = watch(async () => tell(supervisor, await update(build)));
  const release = stopWithParent(supervisor);
  try {
    return await untilExit(supervisor);
  } finally {
    unwatch();
    release();
    await build.close();
  }
});

function watch(onChange) {
  return watchFolders(
    SOURCES.map((folder) => path.join(root, folder)),
    onChange,
  );
}

/** Resolves when everything is compiled; shows errors, and waits for the change that mends them. */
async function untilCompiled(build) {
  if ((await update(build)).length > 0) return;
  await new Promise((resolve) => {
    const unwatch = watch(async () => {
      if ((await update(build)).length === 0) return;
      unwatch();
      resolve();
    });
  });
}

/** Compiles what changed, and returns it; shows errors. */
async function update(build) {
  const { changed, errors } = await build.update();
  for (const error of errors) process.stderr.write(`${error}\n`);
  if (errors.length > 0) say('Waiting for the next change …');
  return changed;
}

function tell(supervisor, changed) {
  if (changed.length === 0 || !supervisor.connected) return;
  const [first, ...others] = changed;
  say(
    `${first}${others.length > 0 ? ` and ${others.length} more` : ''} changed: restarting web and worker …`,
  );
  supervisor.send({ migrations: changed.some((file) => file.startsWith('migrations/')) });
}

/** npm may end without handing on the signal that ended it. */
function stopWithParent(supervisor) {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid !== parent && supervisor.kill('SIGTERM'), PARENT_POLL_MS);
  return () => clearInterval(timer);
}
