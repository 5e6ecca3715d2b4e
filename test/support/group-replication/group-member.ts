import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createStoreProcess } from '../../../src/operate/embedded/store-process.js';
import { runTool } from '../../../src/operate/embedded/run-tool.js';
import { ask, createClusterNode, NOBODY, unprivileged } from '../cluster/cluster-node.js';
import { FAST_DATABASE } from '../fast-folder.js';
import { eventually } from '../eventually.js';

const INSTALL_LIMIT_MS = 180_000;
const JOIN_LIMIT_MS = 60_000;
const GROUP = '2f0c5e4e-9d0b-4f5c-8b1a-6f1f0a7c9b10';
const REPLICATION = { user: 'replication', password: 'replication' } as const;

export interface MemberOptions {
  name: string;
  id: number;
  /** Folder of the group; the member has a folder in it. */
  folder: string;
  /** The server. */
  mysqld: string;
  /** The port by which the other members reach it. */
  groupPort: number;
  groupPorts: number[];
  /** Ports that it must not take. */
  avoidPorts: number[];
}

/** One member of a group, to be hurt. */
export type GroupMember = ReturnType<typeof createGroupMember>;

/** Nothing runs until `start`. */
export function createGroupMember(options: MemberOptions) {
  const { name, folder, mysqld, avoidPorts } = options;
  const data = path.join(folder, name);
  const store = createStoreProcess({
    name: 'mysql',
    pidFile: `${data}.pid.json`,
    logFile: `${data}.log`,
    avoidPorts,
    prepare: (port) => ({
      ...unprivileged(mysqld, [...place(data), ...settings(options, port), ...FAST_DATABASE]),
      env: process.env,
    }),
    check: async (port) => void (await ask(port, 'SELECT 1')),
  });
  const state = async () => {
    const [row] = await ask(
      store.port,
      `SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members
       WHERE MEMBER_ID = @@server_uuid`,
    );
    return String(row?.['state']);
  };
  return {
    ...createClusterNode(name, store),
    get port() {
      return store.port;
    },
    /** Starts it as the first of a group, or lets it join; resolves when it is a member. */
    async start({ isFirst = false } = {}): Promise<void> {
      await store.start();
      await ask(
        store.port,
        `CHANGE REPLICATION SOURCE TO SOURCE_USER = '${REPLICATION.user}', SOURCE_PASSWORD = '${REPLICATION.password}'
         FOR CHANNEL 'group_replication_recovery'`,
      );
      if (isFirst) await ask(store.port, 'SET GLOBAL group_replication_bootstrap_group = ON');
      await ask(store.port, 'START GROUP_REPLICATION');
      if (isFirst) await ask(store.port, 'SET GLOBAL group_replication_bootstrap_group = OFF');
      await eventually(async () => (await state()) === 'ONLINE', JOIN_LIMIT_MS);
    },
    /** The group as this member sees it: the ports of the members that are online, by role. */
    async view(): Promise<{ primaries: number[]; members: number[] }> {
      const rows = await ask(
        store.port,
        `SELECT MEMBER_PORT AS port, MEMBER_ROLE AS role FROM performance_schema.replication_group_members
         WHERE MEMBER_STATE = 'ONLINE'`,
      );
      const ports = (wanted: (role: unknown) => boolean) =>
        rows.filter(({ role }) => wanted(role)).map(({ port }) => Number(port));
      return { primaries: ports((role) => role === 'PRIMARY'), members: ports(() => true) };
    },
    /** Sets the step of ids by hand. */
    async setIdStep(step: number, offset = 1): Promise<void> {
      await ask(
        store.port,
        `SET GLOBAL auto_increment_increment = ${step}, GLOBAL auto_increment_offset = ${offset}`,
      );
    },
  };
}

/** Makes the data folder of a member: with root without a password, and the account by which members copy from each other. */
export async function installMember({ folder, name, mysqld }: MemberOptions): Promise<void> {
  const data = path.join(folder, name);
  for (const made of [data, `${data}.tmp`]) {
    mkdirSync(made);
    if (process.getuid?.() === 0) chownSync(made, NOBODY, NOBODY);
  }
  const accounts = `${data}.sql`;
  const { user, password } = REPLICATION;
  writeFileSync(
    accounts,
    [
      "CREATE USER 'root'@'127.0.0.1'",
      "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION",
      `CREATE USER '${user}'@'127.0.0.1' IDENTIFIED BY '${password}'`,
      `GRANT REPLICATION SLAVE, BACKUP_ADMIN, CONNECTION_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO '${user}'@'127.0.0.1'`,
      '',
    ].join(';\n'),
    { mode: 0o644 },
  );
  const { command, args } = unprivileged(mysqld, [
    ...place(data),
    '--initialize-insecure',
    `--init-file=${accounts}`,
    '--innodb-redo-log-capacity=32M',
  ]);
  await runTool(command, args, { timeoutMs: INSTALL_LIMIT_MS });
}

function place(data: string): string[] {
  const own = [`--socket=${data}.sock`, `--pid-file=${data}.pid`, `--tmpdir=${data}.tmp`];
  return ['--no-defaults', `--datadir=${data}`, ...own, '--mysqlx=OFF', '--secure-file-priv=NULL'];
}

const at = (port: number) => `127.0.0.1:${port}`;

/** A member that finds itself without a majority leaves after some seconds, and takes no statements until it is back. */
function settings({ id, groupPort, groupPorts }: MemberOptions, port: number): string[] {
  return [
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=64M',
    '--innodb-redo-log-capacity=64M',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_520_ci',
    '--max-allowed-packet=64M',
    '--max-connections=300',
    `--server-id=${id}`,
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--log-bin=binlog',
    '--sync-binlog=0',
    '--report-host=127.0.0.1',
    `--report-port=${port}`,
    '--plugin-load-add=group_replication.so',
    `--loose-group-replication-group-name=${GROUP}`,
    `--loose-group-replication-local-address=${at(groupPort)}`,
    `--loose-group-replication-group-seeds=${groupPorts.map(at).join(',')}`,
    '--loose-group-replication-start-on-boot=OFF',
    '--loose-group-replication-ip-allowlist=127.0.0.0/8',
    '--loose-group-replication-recovery-get-public-key=ON',
    '--loose-group-replication-member-expel-timeout=0',
    '--loose-group-replication-unreachable-majority-timeout=5',
    '--loose-group-replication-exit-state-action=OFFLINE_MODE',
    '--loose-group-replication-autorejoin-tries=10',
  ];
}
