import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cliConfig } from '../../src/operate/cli/cli-environment.js';
import { completeEnvironment, planStart } from '../../src/operate/cli/start/start-environment.js';
import { readConfig, storesGiven } from '../../src/config/config.js';
import { fileNamesOf } from '../../src/config/secret-files.js';
import { variablesIn } from '../../src/config/variable.js';
import { VARIABLES } from '../../src/config/variables.js';

const folder = mkdtempSync(path.join(tmpdir(), 'fabula-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = 'ab'.repeat(32);
const stores = { DATABASE_URL: 'mysql://user@host/name', REDIS_URL: 'redis://host' };

function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

/** The message of the error that an environment gives. */
function faultOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

test('every secret may be given by a file, under each of its names', () => {
  const secrets = variablesIn(VARIABLES).filter(({ facts }) => facts.secret);
  const names = secrets.flatMap((variable) => fileNamesOf(variable));
  expect(names).toEqual(
    expect.arrayContaining([
      'DATABASE_URL_FILE',
      'JAWSDB_URL_FILE',
      'REDIS_URL_FILE',
      'REDIS_TLS_URL_FILE',
      'SMTP_URL_FILE',
      'ENCRYPTION_KEY_FILE',
      'ENCRYPTION_KEY_PREVIOUS_FILE',
      'ADMIN_PASSWORD_FILE',
      'OUTBOUND_PROXY_FILE',
    ]),
  );
  const open = variablesIn(VARIABLES).filter(({ facts }) => !facts.secret);
  expect(open.flatMap((variable) => fileNamesOf(variable))).toEqual([]);
});

test.each([
  ['without a line break', KEY],
  ['with one line break', `${KEY}\n`],
  ['with the line break of Windows', `${KEY}\r\n`],
])('a file %s gives its value', (_, text) => {
  const config = readConfig({ ...stores, ENCRYPTION_KEY_FILE: file('key', text) });
  expect(config.encryptionKey?.toString('hex')).toBe(KEY);
});

test('only the last line break is removed', () => {
  const config = readConfig({ ...stores, ADMIN_PASSWORD_FILE: file('password', ' pass word\n\n') });
  expect(config.adminPassword).toBe(' pass word\n');
});

test('addresses of stores may stand in files, and count as given', () => {
  const env = {
    DATABASE_URL_FILE: file('database', 'mysql://user@other/name\n'),
    REDIS_TLS_URL_FILE: file('redis', 'rediss://other:6380\n'),
    REDIS_URL: 'redis://unused',
  };
  expect(readConfig(env)).toMatchObject({
    databaseUrl: 'mysql://user@other/name',
    redisUrl: 'rediss://other:6380',
  });
  expect(storesGiven(env)).toEqual({ database: true, redis: true });
});

test('one error names every file that gives no value, and no content of a file', () => {
  const message = faultOf({
    ...stores,
    ENCRYPTION_KEY: KEY,
    ENCRYPTION_KEY_FILE: file('key', KEY),
    ADMIN_PASSWORD_FILE: file('empty', '\n'),
    SMTP_URL_FILE: path.join(folder, 'missing'),
    OUTBOUND_PROXY_FILE: folder,
    PORT: 'many',
  });
  expect(message.split('\n').slice(1).toSorted()).toEqual(
    [
      '  ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set; remove one of them',
      `  ADMIN_PASSWORD_FILE refers to an empty file: ${folder}/empty`,
      `  SMTP_URL_FILE refers to an unreadable file (ENOENT): ${folder}/missing`,
      `  OUTBOUND_PROXY_FILE refers to an unreadable file (EISDIR): ${folder}`,
      '  PORT must be a number',
    ].toSorted(),
  );
  expect(message).not.toContain(KEY);
});

test('a required secret whose file is missing is named once, by its file', () => {
  const { REDIS_URL } = stores;
  const message = faultOf({ REDIS_URL, DATABASE_URL_FILE: path.join(folder, 'missing') });
  expect(message.split('\n')).toHaveLength(2);
  expect(message).toContain('DATABASE_URL_FILE refers to an unreadable file');
});

test('a wrong value of a file is named by its variable, without the value', () => {
  const message = faultOf({ ...stores, SMTP_URL_FILE: file('smtp', 'http://user:hidden@host') });
  expect(message).toContain('SMTP_URL');
  expect(message).not.toContain('hidden');
});

test('an empty name of a file counts as not given', () => {
  expect(readConfig({ ...stores, ENCRYPTION_KEY_FILE: '' }).encryptionKey).toBeUndefined();
});

test('`npm start` makes no secret that a file gives', async () => {
  const plan = await planStart({
    ...stores,
    PORT: '0',
    DATA_DIR: path.join(folder, 'data'),
    ENCRYPTION_KEY_FILE: file('key', KEY),
    ADMIN_PASSWORD_FILE: file('password', 'of the file'),
  });
  const config = readConfig(completeEnvironment(plan, { localDatabaseUrl: undefined, redisUrl: undefined }));
  expect(config).toMatchObject({ adminUser: 'admin', adminPassword: 'of the file' });
  expect(config.encryptionKey?.toString('hex')).toBe(KEY);
});

test('commands take the database and the key of files', async () => {
  const config = await cliConfig({
    DATABASE_URL_FILE: file('database', 'mysql://user@other/name'),
    ENCRYPTION_KEY_FILE: file('key', KEY),
  });
  expect(config.databaseUrl).toBe('mysql://user@other/name');
  expect(config.encryptionKey?.toString('hex')).toBe(KEY);
});
