import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import {
  findRedis,
  libraryEnvironment,
  type RedisBinary,
} from '../../src/operate/embedded/install/server-binaries.js';
import { eventually } from './eventually.js';

const UNPACKED = path.join(__dirname, '..', '..', '.cache', 'servers');
const CHECK_MS = 2_000;

/** A Redis, or a sentinel, that a test may kill, stop for a while and start again, with its data. */
export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>;

export interface RedisServerOptions {
  /** Its own folder is made in this one. */
  folder: string;
  port: number;
  /** Lines of its configuration besides the usual ones. */
  settings: readonly string[];
  sentinel?: boolean;
}

/** Returns ports of loopback on which nothing listens now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await findFreePort(ports));
  return ports;
}

/** Starts a server on a port of loopback, and waits until it replies. */
export async function startRedisServer({ folder, port, settings, sentinel = false }: RedisServerOptions) {
  const binary = await findRedis({ searchPath: process.env['PATH'] ?? '', unpacked: UNPACKED });
  if (binary === undefined) throw new Error('There is no Redis server on this machine');
  const own = path.join(folder, String(port));
  mkdirSync(own);
  const configuration = path.join(own, 'redis.conf');
  // A sentinel writes what it learns into this file, and reads it when it starts again.
  writeFileSync(
    configuration,
    ['bind 127.0.0.1', `port ${port}`, `dir "${own}"`, ...settings, ''].join('\n'),
  );
  const args = [configuration, ...(sentinel ? ['--sentinel'] : [])];
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, commandTimeout: CHECK_MS });
  client.on('error', () => undefined);
  let child: ChildProcess | undefined;

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = async () => {
    if (child === undefined || !isRunning()) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const signal = (name: NodeJS.Signals) => child?.kill(name);
  const start = async () => {
    child = run(binary, args);
    await eventually(() => client.ping().then(isThere, () => false));
  };
  await start();
  return {
    port,
    /** A connection of the suite itself. */
    client,
    start,
    /** Ends it at once, without its knowing. */
    kill,
    /** Stops it without its knowing, until `thaw`. */
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
    /** Starts it if it was killed, lets it go on if it was frozen. */
    async bringBack(): Promise<void> {
      signal('SIGCONT');
      if (!isRunning()) await start();
    },
    async isMaster(): Promise<boolean> {
      const role = await client.role().catch(() => []);
      return role[0] === 'master';
    },
    async close(): Promise<void> {
      client.disconnect();
      signal('SIGCONT');
      await kill();
    },
  };
}

const isThere = (reply: string) => reply === 'PONG';

function run({ server, runAs, libraries }: RedisBinary, args: string[]): ChildProcess {
  return spawn(server, args, {
    argv0: runAs,
    env: libraryEnvironment(process.env, libraries),
    stdio: 'ignore',
  });
}
