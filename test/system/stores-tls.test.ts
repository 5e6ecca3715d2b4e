import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { connect as connectTls, createServer } from 'node:tls';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { ConfigError, readConfig } from '../../src/config/config.js';
import { driverOptions } from '../../src/platform/mysql/connections/connection-settings.js';
import { connectToNumber } from '../../src/platform/mysql/connections/connection-stream.js';
import { createDatabase } from '../../src/platform/mysql/database.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { probeDatabase } from '../../src/platform/mysql/connections/probe.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { findRedis, libraryEnvironment } from '../../src/operate/embedded/install/server-binaries.js';
import { startEmbeddedStores } from '../../src/operate/embedded/stores.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const run = promisify(execFile);
const SERVERS = path.join(__dirname, '..', '..', '.cache', 'servers');

let folder: string;
/** Files: an authority, a certificate of `localhost` and 127.0.0.1 by it, and one of another name. */
const file = (name: string) => path.join(folder, name);

const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });

async function makeCertificates(): Promise<void> {
  await openssl(
    ...'req -x509 -newkey rsa:2048 -nodes -days 30 -keyout ca.key -out ca.pem -subj /CN=test-ca'.split(' '),
  );
  const leaf = async (name: string, names: string) => {
    await writeFile(file(`${name}.ext`), `subjectAltName=${names}\n`);
    await openssl(
      ...`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`.split(' '),
    );
    await openssl(
      ...`x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out ${name}.pem -extfile ${name}.ext`.split(
        ' ',
      ),
    );
  };
  await leaf('right', 'DNS:localhost,IP:127.0.0.1');
  await leaf('wrong', 'DNS:elsewhere.example');
  await leaf('number', 'IP:127.0.0.1');
  await leaf('number6', 'IP:::1');
  await leaf('localhost', 'DNS:localhost');
}

/** A private database whose certificate is that file's; gives its address. */
async function startDatabase(certificate: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(folder, 'db-'));
  const embedded = await startEmbeddedStores({
    dataDir,
    needDatabase: true,
    needRedis: false,
    serversDir: SERVERS,
    bufferPoolMb: 32,
    log: () => undefined,
    databaseArguments: [
      `--ssl-ca=${file('ca.pem')}`,
      `--ssl-cert=${file(`${certificate}.pem`)}`,
      `--ssl-key=${file(`${certificate}.key`)}`,
    ],
  });
  stores.onClose(() => embedded.stop());
  return embedded.databaseUrl!;
}

/** A Redis that takes TLS only; gives its port. */
async function startRedis(certificate: string, asks: 'yes' | 'no' = 'no'): Promise<number> {
  const port = await findFreePort([]);
  const tls = ['--tls-port', String(port), '--tls-auth-clients', asks, '--tls-ca-cert-file', file('ca.pem')];
  const pair = ['--tls-cert-file', file(`${certificate}.pem`), '--tls-key-file', file(`${certificate}.key`)];
  const binary = await findRedis({ searchPath: process.env['PATH'] ?? '', unpacked: SERVERS });
  if (binary === undefined) throw new Error('There is no Redis server on this machine');
  const child = spawn(binary.server, ['--port', '0', '--save', '', '--dir', folder, ...tls, ...pair], {
    stdio: 'ignore',
    argv0: binary.runAs,
    env: libraryEnvironment(process.env, binary.libraries),
  });
  stores.onClose(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return port;
}

let database: Record<'right' | 'wrong' | 'number' | 'localhost', string>;
let redis: Record<'right' | 'wrong' | 'asking', number>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-tls-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
  await makeCertificates();
  database = {
    right: await startDatabase('right'),
    wrong: await startDatabase('wrong'),
    number: await startDatabase('number'),
    localhost: await startDatabase('localhost'),
  };
  redis = {
    right: await startRedis('right'),
    wrong: await startRedis('wrong'),
    asking: await startRedis('right', 'yes'),
  };
});

type Variables = { ca?: string; rejectUnauthorized?: boolean };

/** The cipher of each pool's connections; or why there is no connection. */
async function ciphersOf(url: string, tls: Variables = {}): Promise<string[] | string> {
  const opened = createDatabase({ url, tls, poolSize: 1, logger: createSilentLogger() });
  const status = "SHOW STATUS LIKE 'Ssl_cipher'";
  try {
    const ask = (session: Session) => session.rows<{ Value: string }>(status);
    const seen = [await opened.read(ask), await opened.transaction(ask), await opened.groupTransaction(ask)];
    const [knex = []] = await opened.knex.raw<[{ Value: string }[]]>(status);
    return [...seen, knex].map(([row]) => (row!.Value === '' ? 'in clear text' : 'encrypted'));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code ?? ''} ${message}`;
  } finally {
    await opened.close();
  }
}
const ENCRYPTED = Array.from({ length: 4 }, () => 'encrypted');
const ofWrong = (options: string) => ciphersOf(withOptions(database.wrong, options));
const verified = (url: string) => ciphersOf(withOptions(url, 'ssl-mode=VERIFY_IDENTITY&ssl-ca=CA'));
const named = (url: string) => url.replace('127.0.0.1', 'localhost');
const withOptions = (url: string, options: string) =>
  `${url}?${options.replace('=CA', '=' + encodeURIComponent(file('ca.pem')))}`;

/** The complaint of a command with these options in the address of the database. */
const complaintWith = async (options: string) => {
  const env = { DATABASE_URL: withOptions(database.right, options), REDIS_URL: stores.redisUrl };
  return (await runCli(['tenant', 'list'], { env })).err;
};

/** Why a TLS server with this certificate is refused, if it is; and whether it was told a name. */
async function handshake(host: string, certificate: string) {
  const [cert, key, ca] = await Promise.all(
    [`${certificate}.pem`, `${certificate}.key`, 'ca.pem'].map((name) => readFile(file(name))),
  );
  let asked = false;
  const server = createServer({ cert, key }, (socket) => {
    asked = typeof socket.servername === 'string';
    socket.on('error', () => undefined).end();
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connectTls({ socket: connectToNumber({ config: { host, port } }), ca });
  try {
    // Read by nobody, the server's end of the connection would not be seen.
    await once(socket.resume(), 'end');
    return { refusal: '', asked };
  } catch (error) {
    return { refusal: (error as { code?: string }).code, asked };
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('store fault d, the connection to the database', () => {
  test.each([
    'ssl-mode=REQUIRED&ssl-ca=CA',
    'sslmode=require&sslrootcert=CA',
    'ssl_mode=VERIFY_IDENTITY&ssl_ca=CA',
    'ssl-mode=verify_ca&ssl-ca=CA',
    'ssl=true&sslca=CA',
    'ssl={"rejectUnauthorized":true}&ssl-ca=CA',
    'ssl={"rejectUnauthorized":false}',
    'ssl-mode=REQUIRED&ssl-verify-server-cert=false',
    'useSSL=true&verifyServerCertificate=false',
    'tls=skip-verify',
    'sslaccept=accept_invalid_certs',
    'ssl-ca=CA',
    'sslaccept=strict&ssl-ca=CA',
  ])('is encrypted with %s', async (options) => {
    expect(await ciphersOf(withOptions(database.right, options))).toEqual(ENCRYPTED);
  });

  test('is encrypted with what the variables say', async () => {
    const required = `${database.right}?ssl-mode=REQUIRED`;
    const pem = await readFile(file('ca.pem'), 'utf8');
    expect(await ciphersOf(database.right, { ca: file('ca.pem') })).toEqual(ENCRYPTED);
    expect(await ciphersOf(required, { ca: pem })).toEqual(ENCRYPTED);
    expect(await ciphersOf(required, { rejectUnauthorized: false })).toEqual(ENCRYPTED);
    expect(await ciphersOf(database.right, { rejectUnauthorized: false })).toEqual(ENCRYPTED);
    expect(await ciphersOf(database.right.replace('127.0.0.1', 'localhost'), { ca: pem })).toEqual(ENCRYPTED);
  });

  test.each(['ssl-mode=REQUIRED', 'ssl=true', 'tls=true', 'ssl-mode=VERIFY_CA'])(
    'is refused with %s where the certificate is by nobody who is known',
    async (options) => {
      expect(await ciphersOf(withOptions(database.right, options))).toMatch('HANDSHAKE_SSL_ERROR');
    },
  );

  test('is refused where the certificate is of another name, but for VERIFY_CA', async () => {
    expect(await ofWrong('ssl-mode=REQUIRED&ssl-ca=CA')).toMatch('HANDSHAKE_SSL_ERROR');
    expect(await ofWrong('ssl-mode=VERIFY_IDENTITY&ssl-ca=CA')).toMatch('HANDSHAKE_SSL_ERROR');
    expect(await ofWrong('sslaccept=strict&ssl-ca=CA')).toMatch('HANDSHAKE_SSL_ERROR');
    expect(await ofWrong('ssl-mode=VERIFY_CA&ssl-ca=CA')).toEqual(ENCRYPTED);
    expect(await ofWrong('ssl-verify-identity=false&ssl-ca=CA')).toEqual(ENCRYPTED);
  });

  test('is verified by the number where the host is one, and by the name where it is one', async () => {
    expect(await verified(database.number)).toEqual(ENCRYPTED);
    expect(await verified(named(database.number))).toMatch('HANDSHAKE_SSL_ERROR');
    expect(await verified(database.localhost)).toMatch('HANDSHAKE_SSL_ERROR');
    expect(await verified(named(database.localhost))).toEqual(ENCRYPTED);
  });

  test.each([
    ['127.0.0.1', 'number', ''],
    ['127.0.0.1', 'right', ''],
    ['127.0.0.1', 'localhost', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['127.0.0.1', 'number6', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['::1', 'number6', ''],
    ['::1', 'localhost', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['::1', 'number', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('to %s takes a certificate of it alone: %s', async (host, certificate, refusal) => {
    expect(await handshake(host, certificate)).toEqual({ refusal, asked: false });
  });

  test('is refused where it must be encrypted and the server cannot', async () => {
    const url = new URL(stores.databaseUrl);
    url.search = 'ssl-mode=REQUIRED';
    expect(await ciphersOf(url.href)).toMatch(/HANDSHAKE/);
    expect(await ciphersOf(stores.databaseUrl)).toEqual(ENCRYPTED.map(() => 'in clear text'));
    expect(await ciphersOf(`${stores.databaseUrl}?ssl-mode=DISABLED`)).toEqual(
      ENCRYPTED.map(() => 'in clear text'),
    );
  });

  test('is made in the same way by the command line', async () => {
    expect(await complaintWith('ssl-mode=REQUIRED&ssl-ca=CA')).toContain('the database is not migrated');
    expect(await complaintWith('ssl-mode=REQUIRED')).toMatch(/certificate/i);
  });

  test('is made in the same way by what looks whether the server is there', async () => {
    expect(await probeDatabase({ url: withOptions(database.right, 'ssl-mode=REQUIRED&ssl-ca=CA') })).toBe(
      true,
    );
    expect(await probeDatabase({ url: `${database.right}?ssl-mode=REQUIRED` })).toBe(false);
  });
});

const at = (port: number, query = '', scheme = 'rediss') => `${scheme}://127.0.0.1:${port}/0${query}`;
const answer = async (redisUrl: string, { ca, rejectUnauthorized = true }: Variables = {}) => {
  const target = { redisUrl, redisTlsRejectUnauthorized: rejectUnauthorized, redisTlsCa: ca };
  const client = createRedis(target, 'producer', stores.logger) as Redis;
  let failure = '';
  client.on('error', (error: Error & { code?: string }) => (failure = error.code ?? error.message));
  try {
    await eventually(() => client.status === 'ready' || /CERT|SELF_SIGNED|ALTNAME/.test(failure));
    if (client.status !== 'ready') return failure;
    const copy = client.duplicate({ enableOfflineQueue: true });
    try {
      return await copy.ping();
    } finally {
      copy.disconnect();
    }
  } finally {
    client.disconnect();
  }
};

describe('store fault d, the connection to Redis', () => {
  test.each(['', '?ssl=true', '?ssl_cert_reqs=required'])('is verified: rediss%s', async (query) => {
    expect(await answer(at(redis.right, query))).not.toBe('PONG');
    expect(await answer(at(redis.right, query), { ca: file('ca.pem') })).toBe('PONG');
    expect(await answer(at(redis.wrong, query), { ca: file('ca.pem') })).not.toBe('PONG');
  });

  test.each(['?ssl_cert_reqs=none', '?rejectUnauthorized=false', '?ssl_cert_reqs=CERT_NONE'])(
    'is not verified where %s says so by name',
    async (query) => {
      expect(await answer(at(redis.right, query))).toBe('PONG');
    },
  );

  test('takes its options from the address too, and TLS without the scheme', async () => {
    const ca = encodeURIComponent(file('ca.pem'));
    expect(await answer(at(redis.right, `?ssl=true&ssl_ca_certs=${ca}`, 'redis'))).toBe('PONG');
    expect(await answer(at(redis.wrong, `?ssl_ca_certs=${ca}&ssl_check_hostname=false`))).toBe('PONG');
    expect(await answer(at(redis.right), { rejectUnauthorized: false })).toBe('PONG');
  });
});

describe('store fault d, the certificate of the client', () => {
  test('is shown to Redis', async () => {
    const own = `?ssl_certfile=${encodeURIComponent(file('right.pem'))}&ssl_keyfile=${encodeURIComponent(file('right.key'))}`;
    expect(await answer(at(redis.asking, own), { ca: file('ca.pem') })).toBe('PONG');
    expect(await answer(at(redis.asking), { ca: file('ca.pem') })).not.toBe('PONG');
  });

  test('is given to the driver of the database', async () => {
    const [cert, key] = await Promise.all(
      ['right.pem', 'right.key'].map((name) => readFile(file(name), 'utf8')),
    );
    const own = `ssl-cert=${encodeURIComponent(file('right.pem'))}&ssl-key=${encodeURIComponent(file('right.key'))}`;
    expect(driverOptions({ url: `${database.right}?${own}` }).ssl).toMatchObject({ cert, key });
    expect(await ciphersOf(withOptions(database.right, `ssl-ca=CA&${own}`))).toEqual(ENCRYPTED);
  });
});

describe('store fault d, an address that cannot be honoured', () => {
  const env = {
    DATABASE_URL: 'mysql://u:geheim@db/x',
    REDIS_URL: 'redis://:geheim@cache:6379',
    SMTP_URL: 'smtp://u:geheim@mail',
  };
  test.each([
    ['DATABASE_URL', '?ssl-mode=PREFERRED', 'ssl-mode'],
    ['DATABASE_URL', '?ssl-mode=SURE', 'ssl-mode'],
    ['DATABASE_URL', '?sslmode=prefer', 'sslmode'],
    ['DATABASE_URL', '?ssl-mode=DISABLED&ssl-ca=/etc/hosts', 'TLS'],
    ['DATABASE_URL', '?ssl=maybe', 'ssl'],
    ['DATABASE_URL', '?ssl=%7B%22checkServerIdentity%22:1%7D', 'checkServerIdentity'],
    ['DATABASE_URL', '?ssl-ca=/not/there.pem', '/not/there.pem'],
    ['DATABASE_URL', '?ssl-cert=/etc/hosts', 'key'],
    ['DATABASE_URL', '?tls-version=TLSv1.3', 'tls-version'],
    ['DATABASE_URL', '?ssl-mode=REQUIRED&sslmode=DISABLED', 'sslmode'],
    ['DATABASE_URL', '?multipleStatements=true', 'multipleStatements'],
    ['DATABASE_URL', '?dateStrings=true', 'dateStrings'],
    ['DATABASE_URL', '?flags=-FOUND_ROWS', 'flags'],
    ['REDIS_URL', '?ssl_cert_reqs=optional', 'ssl_cert_reqs'],
    ['REDIS_URL', '?tls=perhaps', 'tls'],
    ['REDIS_URL', '?tls_min_version=1.3', 'tls_min_version'],
    ['REDIS_URL', '?keyPrefix=x', 'keyPrefix'],
    ['SMTP_URL', '?secure=true', 'smtps://'],
    ['SMTP_URL', '?ssl=true', 'requireTLS'],
    ['SMTP_URL', '?requireTLS=yes', 'requireTLS'],
    ['SMTP_URL', '?tls.rejectUnauthorised=false', 'tls.rejectUnauthorised'],
    ['SMTP_URL', '?requireTLS=true&ignoreTLS=true', 'TLS'],
  ] as const)('ends the start and is named, without the password: %s %s', (variable, query, named) => {
    const read = () => readConfig({ ...env, [variable]: `${env[variable]}${query}` });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(variable);
    expect(read).toThrow(named);
    expect(read).not.toThrow('geheim');
  });

  test('is one with a certificate for a Redis without TLS', () => {
    expect(() => readConfig({ ...env, REDIS_TLS_CA: '/etc/hosts' })).toThrow('rediss://');
    expect(() => readConfig({ ...env, DATABASE_TLS_CA: '/not/there' })).toThrow('/not/there');
    expect(() => readConfig({ ...env, REDIS_TLS_URL: 'redis://cache' })).toThrow('REDIS_TLS_URL');
  });

  test('is none with what hosting platforms add', () => {
    const added = 'mysql://u:p@db/x?reconnect=true&charset=utf8mb4&timezone=%2B00:00';
    expect(readConfig({ ...env, DATABASE_URL: added }).databaseUrl).toBe(added);
    expect(readConfig({ ...env, REDIS_URL: 'redis://cache/?db=3&family=6' })).toBeDefined();
    const mail = 'smtp://mail:587?requireTLS=true&tls.rejectUnauthorized=false';
    expect(readConfig({ ...env, SMTP_URL: mail }).smtpUrl).toBe(mail);
  });
});
