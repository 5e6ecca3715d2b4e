import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { type BenchProcess, startBenchProcess } from './bench-process.js';
import type { RestWorld } from './floor/rest-world.js';
import type { Bench } from './measure.js';

/** Runs the bare REST server on the product's own tables for as long as `work` lasts. */
export async function withRestFloor<T>(
  { folder, stores }: Pick<Bench, 'folder' | 'stores'>,
  world: RestWorld,
  work: (floor: { url: string; server: BenchProcess }) => Promise<T>,
): Promise<T> {
  const logs = await mkdtemp(path.join(folder, 'data-'));
  const port = await findFreePort();
  const server = await startBenchProcess({
    args: [path.join(folder, 'test/bench/floor/rest.js')],
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: stores.databaseUrl,
      PORT: String(port),
      REST_WORLD: JSON.stringify(world),
    },
    logFile: path.join(logs, 'rest.log'),
    ready: 'floor is ready',
  });
  try {
    return await work({ url: `http://127.0.0.1:${port}`, server });
  } finally {
    await server.stop('SIGKILL');
    await rm(logs, { recursive: true, force: true });
  }
}
