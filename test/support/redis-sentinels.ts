import { rm } from 'node:fs/promises';
import { eventually } from './eventually.js';
import { makeFastFolder } from './fast-folder.js';
import { freePorts, type RedisServer, startRedisServer } from './redis-server.js';
import { mastersOf, type ServersUnderTest } from './servers-under-test.js';

const SERVERS = 3;
const SENTINELS = 3;
const QUORUM = 2;
/** So long must the master be silent before it counts as lost. */
const DOWN_AFTER_MS = 2_000;
const FORM_LIMIT_MS = 60_000;

/** Three Redis servers, one of them the master, and three sentinels. */
export interface SentinelsUnderTest extends ServersUnderTest {
  sentinels: RedisServer[];
}

/** Starts them on loopback. Resolves when the sentinels know each other and the replicas. */
export async function startRedisSentinels(): Promise<SentinelsUnderTest> {
  const folder = await makeFastFolder('fabula-sentinels-');
  const ports = await freePorts(SERVERS + SENTINELS);
  const [masterPort = 0] = ports;
  const servers: RedisServer[] = [];
  const sentinels: RedisServer[] = [];
  const close = async () => {
    await Promise.all([...sentinels, ...servers].map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const port of ports.slice(0, SERVERS)) {
      const follows = port === masterPort ? [] : [`replicaof 127.0.0.1 ${masterPort}`];
      const settings = ['appendonly yes', 'save ""', 'repl-diskless-sync-delay 0', ...follows];
      servers.push(await startRedisServer({ folder, port, settings }));
    }
    for (const port of ports.slice(SERVERS)) {
      sentinels.push(
        await startRedisServer({ folder, port, settings: watching(masterPort), sentinel: true }),
      );
    }
    await eventually(() => isWhole(servers, sentinels), FORM_LIMIT_MS);
  } catch (error) {
    await close();
    throw error;
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`);
  return {
    redisUrl: `redis+sentinel://${hosts.join(',')}/fabula-test`,
    servers,
    sentinels,
    expectedMasters: 1,
    masters: () => mastersOf(servers),
    isWhole: () => isWhole(servers, sentinels),
    flush: async () => {
      for (const server of await mastersOf(servers)) await server.client.flushall();
    },
    close,
  };
}

function watching(masterPort: number): string[] {
  return [
    `sentinel monitor fabula-test 127.0.0.1 ${masterPort} ${QUORUM}`,
    `sentinel down-after-milliseconds fabula-test ${DOWN_AFTER_MS}`,
    'sentinel failover-timeout fabula-test 10000',
    'sentinel parallel-syncs fabula-test 2',
  ];
}

async function isWhole(servers: RedisServer[], sentinels: RedisServer[]): Promise<boolean> {
  const [master, ...others] = await mastersOf(servers);
  if (master === undefined || others.length > 0) return false;
  const replication = await master.client.info('replication').catch(() => '');
  const online = [...replication.matchAll(/state=online/g)].length;
  const known = await Promise.all(sentinels.map((sentinel) => knowsAll(sentinel, master.port)));
  return online === SERVERS - 1 && known.every(Boolean);
}

async function knowsAll({ client }: RedisServer, masterPort: number): Promise<boolean> {
  const reply = await client.call('SENTINEL', 'MASTER', 'fabula-test').catch(() => []);
  const fields = reply as string[];
  const field = (name: string) => fields[fields.indexOf(name) + 1];
  return (
    field('port') === String(masterPort) &&
    field('num-slaves') === String(SERVERS - 1) &&
    field('num-other-sentinels') === String(SENTINELS - 1)
  );
}
