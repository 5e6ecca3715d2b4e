// Lock of a checkout: one process at a time installs packages or builds, because two concurrent `npm ci` break each other.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 200;
const WAIT_LIMIT_MS = 20 * 60_000;

/** Runs `work` under the lock of this checkout; waits while another process has it. */
export async function withCheckoutLock(root, say, work) {
  const file = path.join(root, '.cache', 'bootstrap.lock');
  mkdirSync(path.dirname(file), { recursive: true });
  await take(file, say);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

async function take(file, say) {
  const deadline = Date.now() + WAIT_LIMIT_MS;
  for (let told = false; ; told = true) {
    if (created(file)) return;
    const holder = holderOf(file);
    if (holder !== undefined && !isRunning(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (Date.now() > deadline) throw new Error(`Process ${holder} holds ${file} for too long`);
    if (!told) say(`Waiting for process ${holder ?? '?'}, which installs or builds in this checkout …`);
    await pause(POLL_MS);
  }
}

function created(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the process that holds the lock; undefined while the file is being written or was just deleted. */
function holderOf(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 0 ? pid : undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
