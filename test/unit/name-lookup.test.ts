import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNameLookup, createSystemLookup } from '../../src/platform/outbound/addresses/name-lookup.js';
import { type DnsRecord, startDnsServer } from '../support/dns-server.js';

const RECORDS: Record<string, DnsRecord> = {
  'both.example.com': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] },
  'six.example.com': { aaaa: ['2001:db8:0:0:0:0:0:2'] },
  'empty.example.com': {},
  'api.dev': { a: ['192.0.2.9'] },
  'api.dev.svc.cluster.test': { a: ['192.0.2.10'] },
  'short.svc.cluster.test': { a: ['192.0.2.11'] },
};

let dns: Awaited<ReturnType<typeof startDnsServer>>;
let folder: string;

beforeAll(async () => {
  dns = await startDnsServer((name) => RECORDS[name] ?? 'absent');
  folder = mkdtempSync(path.join(tmpdir(), 'fabula-names-'));
});

afterAll(async () => {
  await dns.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  dns.questions.length = 0;
});

/** A look-up on a machine with these files. */
function lookupWith({ hosts = '', resolver = '' }: { hosts?: string; resolver?: string } = {}) {
  const files = { hosts: path.join(folder, 'hosts'), resolver: path.join(folder, 'resolv.conf') };
  writeFileSync(files.hosts, hosts);
  writeFileSync(files.resolver, resolver);
  const lookup = createNameLookup({ ...files, servers: [dns.server] });
  return async (name: string) => (await lookup(name)).map(({ address }) => address);
}

test('a name has its addresses, those of IPv4 first', async () => {
  const lookup = lookupWith();
  expect(await lookup('both.example.com')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  expect(await lookup('SIX.example.com.')).toEqual(['2001:db8::2']);
});

test.each(['absent.example.com', 'empty.example.com'])(
  'a name without an address (%s) is not known',
  async (name) => {
    await expect(lookupWith()(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  },
);

test('the hosts file wins, comments and letter case aside, and is not asked for elsewhere', async () => {
  const lookup = lookupWith({ hosts: '# none\n10.0.0.1 Both.Example.com b # here\n10.0.0.2 b\nx y\n' });
  expect(await lookup('both.example.com')).toEqual(['10.0.0.1']);
  expect(await lookup('b')).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(dns.questions).toEqual([]);
});

test('localhost, and what is below it, is the loopback', async () => {
  const lookup = lookupWith();
  expect(await lookup('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await lookup('app.localhost')).toEqual(['127.0.0.1', '::1']);
  expect(dns.questions).toEqual([]);
});

test('names with few dots are tried with the endings of resolv.conf first, others last', async () => {
  const cluster = lookupWith({ resolver: 'search svc.cluster.test\noptions edns0 ndots:5\n' });
  expect(await cluster('api.dev')).toEqual(['192.0.2.10']);
  expect(await cluster('api.dev.')).toEqual(['192.0.2.9']);
  expect(await cluster('short')).toEqual(['192.0.2.11']);
  expect(await lookupWith({ resolver: 'search svc.cluster.test' })('api.dev')).toEqual(['192.0.2.9']);
});

test('a name of the local network that DNS does not know is asked of the system, others are not', async () => {
  const asked: string[] = [];
  const system = (name: string) => {
    asked.push(name);
    return Promise.resolve([{ address: '192.0.2.20', family: 4 }]);
  };
  const lookup = createNameLookup({ hosts: '', resolver: '', servers: [dns.server], system });
  expect(await lookup('printer.local')).toEqual([{ address: '192.0.2.20', family: 4 }]);
  expect(await lookup('printer')).toEqual([{ address: '192.0.2.20', family: 4 }]);
  await expect(lookup('absent.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(asked).toEqual(['printer.local', 'printer']);
});

test('the system is asked for one name at a time, and twenty may wait', async () => {
  const lookup = createSystemLookup();
  const responses = await Promise.allSettled(Array.from({ length: 30 }, () => lookup('localhost')));
  expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(responses.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'EAI_AGAIN' } });
  expect(await lookup('localhost')).toEqual(expect.arrayContaining([{ address: '127.0.0.1', family: 4 }]));
});
