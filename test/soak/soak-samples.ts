import { readdirSync, readFileSync } from 'node:fs';
import type { World } from '../chaos/world.js';
import { PROCESS_NAMES } from '../chaos/process-group.js';

const KIB = 1024;
const MIB = 2 ** 20;
/** Tables whose rows retention, or the end of the work, deletes within the soak. */
const FLAT_TABLES = ['events', 'deliveries', 'implode_items', 'story_calls', 'prompts'] as const;

/** One look at the whole system: a figure by name, such as `memory of web (MiB)`. */
export type Sample = Map<string, number>;

/** Takes a sample; processes that do not run now are not in it. */
export async function takeSample(world: World): Promise<Sample> {
  const sample: Sample = new Map();
  for (const name of PROCESS_NAMES) {
    const pid = pidOf(world, name);
    const memory = pid === undefined ? undefined : residentMib(pid);
    if (pid === undefined || memory === undefined) continue;
    sample.set(`memory of ${name} (MiB)`, memory);
    sample.set(`open files and sockets of ${name}`, openFiles(pid));
  }
  for (const table of FLAT_TABLES) sample.set(`rows of ${table}`, await rowsOf(world, table));
  sample.set('keys in Redis', await world.stores.redis.dbsize());
  const [, bytes = '0'] = /used_memory:(\d+)/.exec(await world.stores.redis.info('memory')) ?? [];
  sample.set('memory of Redis (MiB)', Number(bytes) / MIB);
  return sample;
}

function pidOf({ group }: World, name: (typeof PROCESS_NAMES)[number]): number | undefined {
  try {
    return group.pid(name);
  } catch {
    // It was killed, and the next one has not started yet.
    return undefined;
  }
}

function residentMib(pid: number): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) / KIB;
  } catch {
    return undefined;
  }
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

async function rowsOf({ stores }: World, table: string): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ rows: number }>(`SELECT COUNT(*) AS \`rows\` FROM ${table}`),
  );
  return row?.rows ?? 0;
}
