import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../../src/operate/embedded/free-port.js';
import { addressOf } from '../cluster/cluster-node.js';
import { eventually } from '../eventually.js';

const PROGRAM = '/usr/sbin/haproxy';
const CLIENT = '/usr/bin/mariadb';
const COMMAND_LIMIT_MS = 5_000;

/** Returns what HAProxy before a database needs and this machine lacks; undefined: nothing. */
export function haproxyLacks(): string | undefined {
  const missing = [PROGRAM, CLIENT].filter((file) => !existsSync(file));
  return missing.length === 0 ? undefined : `a proxy needs ${missing.join(', ')}`;
}

/** HAProxy before several servers, of which it uses one, with the settings of docs/operate/database-proxies.md. */
export type Haproxy = Awaited<ReturnType<typeof startHaproxy>>;

/** Starts it before the servers on these ports; the first that takes writes is used. */
export async function startHaproxy(servers: readonly { name: string; port: number }[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fabula-haproxy-'));
  const port = await findFreePort(servers.map((server) => server.port));
  const socket = path.join(folder, 'admin.sock');
  const check = path.join(folder, 'takes-writes.sh');
  writeFileSync(check, CHECK);
  chmodSync(check, 0o755);
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration({ port, socket, check, servers }));
  const log = openSync(path.join(folder, 'haproxy.log'), 'a');
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    child = undefined;
  };
  const start = async () => {
    child = spawn(PROGRAM, ['-db', '-f', file], { stdio: ['ignore', log, log] });
    await eventually(() => greets(port));
  };
  await start();
  return {
    port,
    url: addressOf([{ port }]),
    start,
    /** Ends it at once; clients lose their connections. */
    kill,
    /** Cuts all connections through it; new ones are taken. */
    async cutAll(): Promise<void> {
      for (const { name } of servers) await command(socket, `shutdown sessions server database/${name}`);
    },
    async close(): Promise<void> {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** HAProxy calls it with its own address and port, then those of the server. An error of the server means no. */
const CHECK = `#!/bin/sh
[ "$(${CLIENT} --no-defaults --skip-ssl --connect-timeout=2 -h "$3" -P "$4" -u root -N -B -e 'SELECT @@GLOBAL.read_only')" = 0 ]
`;

interface Place {
  port: number;
  socket: string;
  check: string;
  servers: readonly { name: string; port: number }[];
}

function configuration({ port, socket, check, servers }: Place): string {
  const lines = servers.map(({ name, port: own }, index) => {
    const rank = index === 0 ? 'on-marked-up shutdown-backup-sessions' : 'backup';
    return `  server ${name} 127.0.0.1:${own} ${rank}`;
  });
  return `global
  stats socket ${socket} mode 600 level admin
  external-check
  insecure-fork-wanted
  maxconn 2000

defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 3s
  retries 2
  option redispatch 1
  option clitcpka
  option srvtcpka

listen database
  bind 127.0.0.1:${port}
  option external-check
  external-check path "/usr/bin:/bin"
  external-check command ${check}
  default-server check inter 1s fall 2 rise 2 on-marked-down shutdown-sessions
${lines.join('\n')}
`;
}

/** Whether a server greets a new client: it sends the first packet. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const client = net.connect({ host: '127.0.0.1', port });
    const end = (answer: boolean) => {
      client.destroy();
      resolve(answer);
    };
    client.once('data', () => end(true));
    client.once('error', () => end(false));
    client.once('close', () => end(false));
    client.setTimeout(COMMAND_LIMIT_MS, () => end(false));
  });
}

async function command(socket: string, text: string): Promise<void> {
  const client = net.connect(socket);
  client.setTimeout(COMMAND_LIMIT_MS, () => client.destroy(new Error('HAProxy does not respond')));
  client.end(`${text}\n`);
  client.resume();
  await once(client, 'close');
}
