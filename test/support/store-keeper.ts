import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startEmbeddedStores } from '../../src/operate/embedded/stores.js';
import { FAST_DATABASE, makeFastFolder } from './fast-folder.js';

/*
 * Holds the stores of one test run. A process of its own, because it outlives Jest by a moment: when the
 * channel to Jest closes, for whatever reason (end, Ctrl-C, kill -9), it stops them and removes their data.
 */
const SERVERS = path.join(__dirname, '..', '..', '.cache', 'servers');
const PREFIX = 'fabula-test-';
const BUFFER_POOL_MB = 128;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function main(): Promise<void> {
  const jestGone = new Promise<void>((resolve) => {
    process.once('disconnect', resolve);
  });
  // Ctrl-C and friends are meant for Jest; its end is ours.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const folder = await makeFastFolder(PREFIX);
  try {
    const stores = await startEmbeddedStores({
      dataDir: folder,
      needDatabase: process.argv.includes('--database'),
      needRedis: process.argv.includes('--redis'),
      serversDir: SERVERS,
      bufferPoolMb: BUFFER_POOL_MB,
      databaseRights: 'all',
      databaseArguments: FAST_DATABASE,
      log: say,
    });
    try {
      if (process.connected) process.send?.({ databaseUrl: stores.databaseUrl, redisUrl: stores.redisUrl });
      await jestGone;
    } finally {
      await stores.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
