import type { Redis } from 'ioredis';
import type { TestStores } from './stores.js';

/** Every row of every table of the test's own database, as text by table. Binary columns are read as Latin-1. */
export function everyTable(stores: TestStores): Promise<Map<string, string>> {
  return stores.db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const texts = new Map<string, string>();
    for (const { name } of tables) {
      const rows = await session.rows<object>(`SELECT * FROM \`${name}\``);
      texts.set(name, rows.flatMap((row) => Object.values(row).map(textOf)).join('\n'));
    }
    return texts;
  });
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}

/** Everything under this part of a key's name in Redis, as text: names, values, fields, members and entries. */
export async function everyKey(redis: Redis, part: string): Promise<string> {
  const texts: string[] = [];
  for await (const keys of redis.scanStream({ match: `*${part}*`, count: 1000 }) as AsyncIterable<string[]>) {
    for (const key of keys) texts.push(key, JSON.stringify(await valueOf(redis, key)));
  }
  return texts.join('\n');
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}
