import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createStoreProcess } from '../../../src/operate/embedded/store-process.js';
import { runTool } from '../../../src/operate/embedded/run-tool.js';
import { ask, connect, createClusterNode, NOBODY, unprivileged } from '../cluster/cluster-node.js';
import { FAST_DATABASE } from '../fast-folder.js';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const TOOLS = ['/usr/sbin/mariadbd', '/usr/bin/mariadb-install-db', '/usr/bin/rsync', PROVIDER];
const TOOL_LIMIT_MS = 120_000;

/** Returns what a Galera cluster needs and this machine lacks; undefined: nothing. */
export function galeraLacks(): string | undefined {
  const missing = TOOLS.filter((file) => !existsSync(file));
  return missing.length === 0 ? undefined : `a Galera cluster needs ${missing.join(', ')}`;
}

/** The ports of a node, besides that of its clients. */
export interface NodePorts {
  group: number;
  incremental: number;
  snapshot: number;
}

export interface NodeOptions {
  name: string;
  /** Folder of the cluster; the node has a folder in it. */
  folder: string;
  ports: NodePorts;
  /** Ports by which all nodes talk to each other. */
  groupPorts: number[];
  /** Ports that it must not take. */
  avoidPorts: number[];
}

/** One node of a cluster, to be hurt. */
export type GaleraNode = ReturnType<typeof createGaleraNode>;

/** Nothing runs until `start`. */
export function createGaleraNode(options: NodeOptions) {
  const { name, folder, avoidPorts } = options;
  const data = path.join(folder, name);
  let more: string[] = [];
  const store = createStoreProcess({
    name: 'mysql',
    pidFile: path.join(folder, `${name}.pid.json`),
    logFile: path.join(folder, `${name}.log`),
    avoidPorts,
    prepare: (port) => ({
      ...unprivileged('/usr/sbin/mariadbd', [
        ...place(data),
        `--port=${port}`,
        ...settings(options),
        ...FAST_DATABASE,
        ...more,
      ]),
      env: process.env,
    }),
    check: async (port) => {
      const state = await stateOf(port);
      if (state !== 'Synced') throw new Error(`${name} is ${state}`);
    },
  });
  return {
    ...createClusterNode(name, store),
    get port() {
      return store.port;
    },
    /** Starts it as the first of a cluster, or lets it join; resolves when it is as far as the others. */
    async start({ isFirst = false } = {}): Promise<void> {
      more = isFirst ? ['--wsrep-new-cluster'] : await positionOf(data);
      await store.start();
    },
    /** `Synced`: it is as far as the others. */
    stateOf: () => stateOf(store.port),
    /** How many nodes it takes the cluster to have. */
    clusterSize: async () => Number(await statusOf(store.port, 'wsrep_cluster_size')),
    /** While `work` goes on, the node applies nothing of what the others commit, and takes no writes. */
    async whileHeldBack(work: () => Promise<unknown>): Promise<void> {
      const connection = await connect(store.port);
      try {
        await connection.query('FLUSH TABLES WITH READ LOCK');
        await work();
        await connection.query('UNLOCK TABLES');
      } finally {
        connection.destroy();
      }
    },
    /** The node derives the step of ids from the size of the cluster again. */
    freeIdStep: () => ask(store.port, 'SET GLOBAL wsrep_auto_increment_control = ON'),
    /** Sets the step of ids by hand: the node no longer derives it from the size of the cluster. */
    async setIdStep(step: number, offset = 1): Promise<void> {
      await ask(store.port, 'SET GLOBAL wsrep_auto_increment_control = OFF');
      await ask(
        store.port,
        `SET GLOBAL auto_increment_increment = ${step}, GLOBAL auto_increment_offset = ${offset}`,
      );
    },
  };
}

/** Makes the data folder of a server: with root without a password, and nobody else. */
export async function installData(folder: string): Promise<void> {
  for (const made of [folder, `${folder}.tmp`]) {
    mkdirSync(made);
    if (process.getuid?.() === 0) chownSync(made, NOBODY, NOBODY);
  }
  const { command, args } = unprivileged('/usr/bin/mariadb-install-db', [
    ...place(folder),
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--force',
    '--innodb-log-file-size=16M',
  ]);
  await runTool(command, args, { timeoutMs: TOOL_LIMIT_MS });
}

/** The position at which a node that was killed has stopped: with it, the others send only what it lacks. */
async function positionOf(data: string): Promise<string[]> {
  const state = path.join(data, 'grastate.dat');
  if (!existsSync(state) || !/^seqno:\s*-1$/m.test(readFileSync(state, 'utf8'))) return [];
  const log = path.join(data, 'recovery.log');
  const { command, args } = unprivileged('/usr/sbin/mariadbd', [
    ...place(data),
    `--log-error=${log}`,
    '--wsrep-recover',
    '--innodb-log-file-size=16M',
  ]);
  await runTool(command, args, { timeoutMs: TOOL_LIMIT_MS });
  const [, position] = /Recovered position: (\S+)/.exec(readFileSync(log, 'utf8').slice(-4_000)) ?? [];
  return position === undefined ? [] : [`--wsrep-start-position=${position}`];
}

/** A starting server removes temporary files of others, so that each has a folder of its own for them. */
function place(data: string): string[] {
  const own = [`--socket=${data}.sock`, `--pid-file=${data}.pid`, `--tmpdir=${data}.tmp`];
  return ['--no-defaults', `--datadir=${data}`, ...own];
}

function settings({ name, ports, groupPorts }: NodeOptions): string[] {
  const provider = [
    `base_host=127.0.0.1;base_port=${ports.group};gmcast.listen_addr=tcp://127.0.0.1:${ports.group}`,
    `ist.recv_addr=127.0.0.1:${ports.incremental};gcache.size=64M;gcache.page_size=32M`,
  ];
  return [
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=64M',
    '--innodb-log-file-size=16M',
    '--innodb-autoinc-lock-mode=2',
    '--binlog-format=ROW',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_520_ci',
    '--max-allowed-packet=64M',
    '--max-connections=300',
    '--performance-schema=OFF',
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    `--wsrep-provider-options=${provider.join(';')}`,
    '--wsrep-cluster-name=fabula-tests',
    `--wsrep-cluster-address=gcomm://${groupPorts.map((port) => `127.0.0.1:${port}`).join(',')}`,
    `--wsrep-node-name=${name}`,
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${ports.snapshot}`,
  ];
}

const stateOf = (port: number) => statusOf(port, 'wsrep_local_state_comment');

async function statusOf(port: number, name: string): Promise<string> {
  const [row] = await ask(port, `SHOW GLOBAL STATUS LIKE '${name}'`);
  return String(row?.['Value']);
}
