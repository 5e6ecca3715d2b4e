import { rm } from 'node:fs/promises';
import { eventually } from './eventually.js';
import { makeFastFolder } from './fast-folder.js';
import { freePorts, type RedisServer, startRedisServer } from './redis-server.js';
import { mastersOf, type ServersUnderTest } from './servers-under-test.js';

const MASTERS = 3;
const SLOTS = 16_384;
/** So long must a server be silent before it counts as lost. */
const NODE_TIMEOUT_MS = 3_000;
const FORM_LIMIT_MS = 60_000;

/** Starts a cluster of three masters, each with a replica, on loopback; resolves when it serves all slots. */
export async function startRedisCluster(): Promise<ServersUnderTest> {
  const folder = await makeFastFolder('fabula-cluster-');
  const ports = await freePorts(4 * MASTERS);
  const servers: RedisServer[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index < 2 * MASTERS; index += 1) {
      const [port = 0, bus = 0] = [ports[index], ports[index + 2 * MASTERS]];
      const settings = [
        'appendonly yes',
        'save ""',
        'maxmemory-policy noeviction',
        'cluster-enabled yes',
        `cluster-port ${bus}`,
        `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
      ];
      servers.push(await startRedisServer({ folder, port, settings }));
    }
    await form(servers, ports.slice(2 * MASTERS));
  } catch (error) {
    await close();
    throw error;
  }
  const hosts = servers.slice(0, MASTERS).map(({ port }) => `127.0.0.1:${port}`);
  return {
    redisUrl: `redis+cluster://${hosts.join(',')}`,
    servers,
    expectedMasters: MASTERS,
    masters: () => mastersOf(servers),
    isWhole: () => isWhole(servers),
    flush: async () => {
      for (const server of await mastersOf(servers)) await server.client.flushall();
    },
    close,
  };
}

async function form(servers: RedisServer[], buses: number[]): Promise<void> {
  const [first, ...others] = servers;
  for (const [index, { client }] of servers.slice(0, MASTERS).entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / MASTERS)) as [
      number,
      number,
    ];
    await client.cluster('ADDSLOTSRANGE', from, to - 1);
  }
  for (const [index, { port }] of others.entries()) {
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, String(buses[index + 1]));
  }
  const knowAll = async ({ client }: RedisServer) =>
    (await client.cluster('INFO')).includes(`cluster_known_nodes:${servers.length}`);
  await eventually(async () => (await Promise.all(servers.map(knowAll))).every(Boolean), FORM_LIMIT_MS);
  for (const [index, { client }] of servers.slice(MASTERS).entries()) {
    const id = String(await servers[index]?.client.cluster('MYID'));
    await client.cluster('REPLICATE', id);
  }
  await eventually(() => isWhole(servers), FORM_LIMIT_MS);
}

/** Whether each server knows that all slots are served, and each master has its replica. */
async function isWhole(servers: RedisServer[]): Promise<boolean> {
  const infos = await Promise.all(
    servers.map(({ client }) => client.cluster('INFO').then(String, () => 'silent')),
  );
  const masters = await mastersOf(servers);
  const replicas = await Promise.all(masters.map(({ client }) => client.info('replication')));
  return (
    infos.every((info) => info.includes('cluster_state:ok')) &&
    masters.length === MASTERS &&
    replicas.every((info) => info.includes('state=online'))
  );
}
