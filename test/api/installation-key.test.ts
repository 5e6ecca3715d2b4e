import { randomBytes } from 'node:crypto';
import { createCredentialCipher } from '../../src/data/credentials/keys/credential-cipher.js';
import { replaceKeyFingerprint } from '../../src/data/credentials/keys/installation-key-store.js';
import { adoptKey, findForeignKey, noteKey } from '../../src/data/credentials/keys/installation-key.js';
import { worthShowing } from '../../src/operate/cli/start/processes/child-log.js';
import { keyCheck } from '../../src/operate/doctor/checks/key-check.js';
import type { StoreContext } from '../../src/operate/doctor/check.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { useManageApi } from '../support/manage-api.js';
import { buildOperator } from '../support/one-tenant.js';
import { recordingLogger } from '../support/recording-logger.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const [old, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const cipherOf = (key: Buffer, ...previous: Buffer[]) => createCredentialCipher(key, previous);
const adopt = (key: Buffer, ...previous: Buffer[]) =>
  stores.db.read((session) => adoptKey(session, cipherOf(key, ...previous)));
const foreign = (key: Buffer, ...previous: Buffer[]) =>
  stores.db.read((session) => findForeignKey(session, cipherOf(key, ...previous)));
const forget = () => stores.sql("DELETE FROM settings WHERE name = 'encryption_key'");

beforeEach(forget);
afterEach(forget);

describe('I23: the key of the database', () => {
  it('is that of the first start; another one is foreign, by fingerprint', async () => {
    expect(await adopt(old)).toBeUndefined();
    const found = { own: cipherOf(other).fingerprint, stored: cipherOf(old).fingerprint };
    expect(await adopt(other)).toEqual(found);
    expect(await foreign(other)).toEqual(found);
    expect(found.own).toMatch(/^[0-9a-f]{16}$/);
    expect(await adopt(old)).toBeUndefined();
  });

  it('moves with a rotation, in each of its steps', async () => {
    await adopt(old);
    expect(await adopt(old, next)).toBeUndefined();
    expect(await adopt(next, old)).toBeUndefined();
    // A process of the step before is still there.
    expect(await foreign(old, next)).toBeUndefined();
    expect(await adopt(next)).toBeUndefined();
    expect(await foreign(old)).toEqual({
      own: cipherOf(old).fingerprint,
      stored: cipherOf(next).fingerprint,
    });
  });

  it('is that of the credentials which an earlier release has stored', async () => {
    const { team } = await buildAccount(stores.db);
    const sealed = cipherOf(old).encrypt('s3cret', { teamId: team.id, name: 'a' });
    await stores.sql(
      "INSERT INTO credentials (team_id, name, slug, encrypted_value) VALUES (?, 'a', 'a', ?)",
      [team.id, sealed],
    );
    expect(await adopt(other)).toEqual({
      own: cipherOf(other).fingerprint,
      stored: cipherOf(old).fingerprint,
    });
    await forget();
    expect(await adopt(next, old)).toBeUndefined();
    expect(await adopt(next)).toBeUndefined();
  });

  it('is that of most secrets, those of mail servers among them', async () => {
    const { team, tenantId } = await buildAccount(stores.db);
    const store = (name: string, key: Buffer) =>
      stores.sql('INSERT INTO credentials (team_id, name, slug, encrypted_value) VALUES (?, ?, ?, ?)', [
        team.id,
        name,
        name,
        cipherOf(key).encrypt('s3cret', { teamId: team.id, name }),
      ]);
    await stores.sql('INSERT INTO tenant_mail_settings (tenant_id, encrypted_smtp_url) VALUES (?, ?)', [
      tenantId,
      cipherOf(old).encrypt('smtp://x', { teamId: team.id, name: 'x' }),
    ]);
    expect(await adopt(other)).toMatchObject({ stored: cipherOf(old).fingerprint });
    await forget();
    await store('a', old);
    await store('b', other);
    expect(await adopt(other)).toMatchObject({ stored: cipherOf(old).fingerprint });
    await forget();
    expect(await adopt(old)).toBeUndefined();
  });

  it('is logged by a process that starts with another one', async () => {
    await adopt(old);
    const { logger, lines } = recordingLogger();
    const owner = (key: Buffer | undefined) => ({
      config: { encryptionKey: key },
      database: stores.db,
      credentials: { cipher: () => cipherOf(key ?? other) },
    });
    await noteKey(owner(old), logger);
    await noteKey(owner(undefined), logger);
    expect(lines()).toEqual([]);
    await noteKey(owner(other), logger);
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'error', message: expect.stringContaining('ENCRYPTION_KEY') }),
    ]);
    // The terminal of `npm start` shows messages alone, cut at 500 characters.
    const shown = worthShowing(JSON.stringify(lines()[0]), false);
    expect(shown).toContain(cipherOf(other).fingerprint);
    expect(shown).toContain(cipherOf(old).fingerprint);
    expect(shown).toContain('accept-key');
  });

  it('is asked for by the doctor and the status, and nothing is stored under another one', async () => {
    const { ENCRYPTION_KEY = '' } = fabulaEnvironment(stores);
    const owner = await buildOperator(stores);
    const make = (name: string) =>
      api.call(owner.key, 'POST /api/v1/user_credentials', {
        name,
        mode: 'TEXT',
        value: 's3cret',
        team_id: owner.team.id,
      });
    expect((await make('before')).status).toBe(201);
    await stores.db.read((session) => replaceKeyFingerprint(cipherOf(old).fingerprint, session));
    const context = {
      config: { encryptionKey: Buffer.from(ENCRYPTION_KEY, 'hex') },
      database: stores.db,
    } as unknown as StoreContext;
    expect((await keyCheck.run(context)).map(({ id }) => id)).toEqual(['configuration.foreign-key']);
    await eventually(async () => {
      const { body } = await api.call(owner.key, 'GET /api/v1/status');
      return body.reasons.some(({ id }: { id: string }) => id === 'configuration.foreign-key');
    });
    const refused = await make('after');
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(
      'ENCRYPTION_KEY of this server does not match its database',
    );
    expect(JSON.stringify(refused.body)).not.toContain(cipherOf(old).fingerprint);
    const mails = { smtp_url: 'smtp://mail.example.com', mail_from: 'a@example.com' };
    const mailed = await api.call(owner.key, 'PUT /api/v1/tenants/current/mail_settings', mails);
    expect(mailed.status).toBe(409);
    const env = { DATABASE_URL: stores.databaseUrl, ENCRYPTION_KEY };
    const imported = await runCli(['tenant', 'import', 'a-folder'], { env });
    expect(imported.code).toBe(1);
    expect(imported.err).toContain('ENCRYPTION_KEY of this server does not match its database');
    const accepted = await runCli(['credential', 'accept-key'], { env });
    expect(accepted.code).toBe(0);
    expect((await make('after')).status).toBe(201);
    expect(await keyCheck.run(context)).toEqual([]);
  });
});
