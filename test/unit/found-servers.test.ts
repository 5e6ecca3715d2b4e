import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createConfirmInstall } from '../../src/operate/cli/start/confirm-install.js';
import { findRedis } from '../../src/operate/embedded/install/server-binaries.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'fabula-servers-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A program that tells its version as Redis does. */
function program(place: string, name: string, version: string): string {
  const file = path.join(folder, place, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "Redis server v=${version} sha=0"\n`);
  chmodSync(file, 0o755);
  return file;
}

const find = (...places: string[]) =>
  findRedis({
    searchPath: places.map((place) => path.join(folder, place)).join(path.delimiter),
    unpacked: path.join(folder, 'unpacked'),
  });

describe('servers', () => {
  it('are searched in the order of the path, before the unpacked ones', async () => {
    program('unpacked/redis/usr/bin', 'redis-server', '9.9.9');
    const second = program('second', 'redis-server', '7.0.1');
    const first = program('first', 'redis-server', '7.0.0');
    expect((await find('first', 'second'))?.server).toBe(first);
    expect((await find('second', 'first'))?.server).toBe(second);
  });

  it('that are too old are passed over', async () => {
    program('first', 'redis-server', '6.0.16');
    const second = program('second', 'redis-server', '6.2.0');
    expect((await find('first', 'second'))?.server).toBe(second);
  });
});

it('without a terminal, or with --yes, packages are installed without a question', async () => {
  const { signal } = new AbortController();
  const before = process.stdin.isTTY;
  process.stdin.isTTY = false;
  try {
    expect(await createConfirmInstall({ yes: false, signal })('It needs x.')).toBe(true);
    process.stdin.isTTY = true;
    expect(await createConfirmInstall({ yes: true, signal })('It needs x.')).toBe(true);
  } finally {
    process.stdin.isTTY = before;
  }
});
