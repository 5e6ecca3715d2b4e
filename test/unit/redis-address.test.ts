import { readConfig } from '../../src/config/config.js';
import { namedIn, readRedisAddress } from '../../src/platform/addresses/redis-address.js';

const none = { username: undefined, password: undefined };
const reaching = { tls: undefined, family: undefined };

describe('the address of a Redis Cluster', () => {
  test.each([
    ['redis+cluster://a:7000,b,c', { nodes: at(['a', 7000], ['b', 6379], ['c', 6379]), ...none }],
    ['redis+cluster://a/0?db=0', { nodes: at(['a', 6379]), ...none }],
    ['redis+cluster://:p%2Fw@[::1]:7001', { nodes: at(['::1', 7001]), ...none, password: 'p/w' }],
    [
      'redis+cluster://me:a@b:c@a,b',
      { nodes: at(['a', 6379], ['b', 6379]), username: 'me', password: 'a@b:c' },
    ],
    ['redis+cluster://me@10.0.0.1:1', { nodes: at(['10.0.0.1', 1]), username: 'me', password: undefined }],
  ])('%s', (text, expected) => {
    expect(readRedisAddress(text)).toEqual({ topology: 'cluster', ...reaching, ...expected });
  });

  test('begins with rediss+ for TLS, and takes its options', () => {
    const { tls, family } = readRedisAddress('rediss+cluster://a,b?ssl_check_hostname=no&family=6');
    expect({ tls, family }).toMatchObject({ tls: { verifyIdentity: false }, family: 6 });
  });

  test.each([
    ['redis+cluster://', 'a wrong server at place 1'],
    ['redis+cluster://a,,b', 'has an empty place in its list of hosts'],
    ['redis+cluster://a:0', 'a wrong server at place 1'],
    ['redis+cluster://a,b:70000', 'a wrong server at place 2'],
    ['redis+cluster://a b', 'a wrong server at place 1'],
    ['redis+cluster://me:secret/word@a', 'a wrong server at place 1'],
    ['redis+cluster://a/1', 'a cluster has only 0'],
    ['redis+cluster://a?db=2', 'a cluster has only 0'],
    ['redis+cluster://me:%zz@a', 'encode % itself'],
    ['redis+cluster://a?sentinel_password=x', 'has the option "sentinel_password", which is not supported'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => readRedisAddress(text)).toThrow(message);
    expect(() => readRedisAddress(text)).not.toThrow('secret');
  });
});

describe('the address of sentinels', () => {
  test('has the name of the master, the database, and accounts of both', () => {
    const text =
      'redis+sentinel://me:pw@a:26380,b,c/my-master?db=3&sentinel_username=watch&sentinel_password=s%26w';
    expect(readRedisAddress(text)).toEqual({
      topology: 'sentinel',
      ...reaching,
      nodes: at(['a', 26_380], ['b', 26_379], ['c', 26_379]),
      username: 'me',
      password: 'pw',
      master: 'my-master',
      database: 3,
      sentinel: { username: 'watch', password: 's&w', tls: false },
    });
  });

  test('uses TLS for both, or for Redis alone', () => {
    expect(readRedisAddress('rediss+sentinel://a/m')).toMatchObject({ tls: {}, sentinel: { tls: true } });
    expect(readRedisAddress('rediss+sentinel://a/m?sentinel_tls=no')).toMatchObject({
      tls: {},
      sentinel: { tls: false },
    });
  });

  test.each([
    ['redis+sentinel://a,b,c', 'must end with the name of the master'],
    ['redis+sentinel://a,b,c/', 'must end with the name of the master'],
    ['redis+sentinel://a/my%20master', 'must end with the name of the master'],
    ['redis+sentinel://a/m?db=x', 'has "db", which must be a number'],
    ['redis+sentinel://a/m?sentinel_tls=yes', 'does not begin with rediss+'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => readRedisAddress(text)).toThrow(message);
  });
});

test('the configuration takes all kinds of addresses, and names what is wrong', () => {
  for (const address of ['redis://a', 'rediss+cluster://a:1,b:2', 'redis+sentinel://u:p@a,b/m?db=1']) {
    expect(configured(address)).toBe(address);
  }
  expect(() => configured('redis+sentinel://a,b')).toThrow('REDIS_URL must end with the name of the master');
  expect(() => configured('redis+proxy://a,b')).toThrow('REDIS_URL');
  expect(() => configured('redis://a:1,b:2')).toThrow('REDIS_URL');
});

test('the hosts and the password of an address are known', () => {
  expect(namedIn('redis+cluster://u:p@a:1,[::1]')).toEqual({ hosts: ['a', '::1'], password: 'p' });
  expect(namedIn('redis+sentinel://a,b/m')).toEqual({ hosts: ['a', 'b'], password: '' });
  expect(namedIn('redis://:p@[::1]:1/2')).toEqual({ hosts: ['::1'], password: 'p' });
});

function configured(address: string): string {
  return readConfig({ DATABASE_URL: 'mysql://a@b/c', REDIS_URL: address }).redisUrl;
}

function at(...nodes: [host: string, port: number][]) {
  return nodes.map(([host, port]) => ({ host, port }));
}

test('one Redis may have its database in a path or an option', () => {
  expect(readRedisAddress('redis://h:1/?db=3')).toMatchObject({ topology: 'lone', url: 'redis://h:1/3' });
  expect(readRedisAddress('redis://h:1/3')).toMatchObject({ topology: 'lone', url: 'redis://h:1/3' });
});
