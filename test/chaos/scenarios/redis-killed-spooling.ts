import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';

const SPOOLING_MS = 6_000;
const BLOCK = Buffer.alloc(8 * 1024 * 1024, 1);

export const redisKilledSpooling = defineScenario({
  name: 'redis-killed-spooling',
  sentence:
    'MySQL is away, webhooks go to the spool, the disk is kept busy with fsync, and Redis is killed (-9): what was accepted is there.',
  async hurt({ stores, load }) {
    await stores.mysql.kill();
    const before = load?.accepted() ?? 0;
    const busy = new AbortController();
    const pressure = keepDiskBusy(path.join(stores.redisFolder, '..', 'busy'), busy.signal);
    await sleep(SPOOLING_MS);
    await stores.redisServer.kill();
    busy.abort();
    await pressure;
    const spooled = (load?.accepted() ?? 0) - before;
    await stores.redisServer.process.start();
    await stores.mysql.process.start();
    return () =>
      Promise.resolve(spooled > 0 ? [] : ['nothing was accepted into the spool: nothing was tried']);
  },
});

/** Writes and syncs without end, so that the fsync of others is slow. */
async function keepDiskBusy(file: string, signal: AbortSignal): Promise<void> {
  const handle = await open(file, 'w');
  try {
    while (!signal.aborted) {
      await handle.write(BLOCK, 0, BLOCK.length, 0);
      await handle.sync();
    }
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}
