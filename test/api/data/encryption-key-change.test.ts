import { randomBytes } from 'node:crypto';
import { createCredentialCipher } from '../../../src/data/credentials/keys/credential-cipher.js';
import { createCredentialService } from '../../../src/data/credentials/credential-service.js';
import { createCredentialStore } from '../../../src/data/credentials/credential-store.js';
import { rotateCredentials } from '../../../src/data/credentials/keys/key-rotation.js';
import { buildTeam } from '../../support/builders.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';

const stores = useStores({ ownDatabase: true });

const service = (encryptionKey: Buffer, ...encryptionKeysPrevious: Buffer[]) =>
  createCredentialService({
    store: createCredentialStore(stores.db),
    encryptionKey,
    encryptionKeysPrevious,
  });

const fabula = (env: NodeJS.ProcessEnv) =>
  runCli(['credential', 'rotate-key', '--json'], { env: { DATABASE_URL: stores.databaseUrl, ...env } });

describe('a change of the encryption key', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const rotate = (...previous: Buffer[]) =>
    rotateCredentials(stores.db, createCredentialCipher(fresh, previous));

  async function storeSome(count: number): Promise<number> {
    const { id } = await buildTeam(stores.db);
    for (let index = 0; index < count; index++) await service(old).set(id, `c${index}`, `value ${index}`);
    return id;
  }

  it('encrypts all under the new key; values stay readable before, during and after', async () => {
    const teamId = await storeSome(205);
    await service(fresh, old).set(teamId, 'new', 'value new');
    const expected = await service(fresh, old).listValues(teamId);
    expect(expected).toHaveLength(206);
    expect(await rotate(old)).toEqual({ rotated: 205, current: 1, unreadable: [] });
    expect(await service(fresh, old).listValues(teamId)).toEqual(expected);
    expect(await service(fresh).listValues(teamId)).toEqual(expected);
    await expect(service(old).listValues(teamId)).rejects.toThrow('cannot be decrypted');
    expect(await rotate(old)).toEqual({ rotated: 0, current: 206, unreadable: [] });
  });

  it('goes on where it was broken off, and two at once do no harm', async () => {
    const teamId = await storeSome(30);
    const results = await Promise.all([rotate(old), rotate(old)]);
    expect(results.map(({ unreadable }) => unreadable)).toEqual([[], []]);
    expect(await service(fresh).listValues(teamId)).toHaveLength(30);
  });

  it('loses no value that is set meanwhile', async () => {
    const teamId = await storeSome(20);
    await Promise.all([rotate(old), service(fresh, old).set(teamId, 'c19', 'set meanwhile')]);
    expect((await service(fresh).listValues(teamId)).at(-1)).toMatchObject({
      name: 'c19',
      value: 'set meanwhile',
    });
  });

  it('names what no key opens, and leaves it as it is', async () => {
    const teamId = await storeSome(2);
    await service(randomBytes(32)).set(teamId, 'lost', 'x');
    const { rotated, unreadable } = await rotate(old);
    expect([rotated, unreadable]).toEqual([2, [{ id: expect.any(Number), teamId, name: 'lost' }]]);
  });

  describe('on the command line', () => {
    const keys = { ENCRYPTION_KEY: fresh.toString('hex'), ENCRYPTION_KEY_PREVIOUS: old.toString('hex') };

    it('takes both keys from the environment', async () => {
      const teamId = await storeSome(3);
      expect(await fabula(keys)).toEqual({ code: 0, out: '{"rotated":3,"current":0}\n', err: '' });
      expect(await service(fresh).listValues(teamId)).toHaveLength(3);
    });

    it('fails, and says so, when a value cannot be read, and never shows a key', async () => {
      await storeSome(1);
      const { code, err } = await fabula({ ENCRYPTION_KEY: keys.ENCRYPTION_KEY });
      expect([code, err]).toEqual([1, expect.stringContaining('"c0" of team')]);
      const wrong = await fabula({ ...keys, ENCRYPTION_KEY_PREVIOUS: `${keys.ENCRYPTION_KEY_PREVIOUS}0` });
      expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('64 hexadecimal digits')]);
      expect(wrong.err).not.toContain(keys.ENCRYPTION_KEY_PREVIOUS);
    });
  });

  it('reads what a release without key ids stored, under any of its keys', async () => {
    const identity = { teamId: 7, name: 'old' };
    const sealed = createCredentialCipher(old).encrypt('s3cret', identity);
    const first = Buffer.concat([Buffer.of(1), sealed.subarray(9)]);
    expect(createCredentialCipher(fresh, [old]).decrypt(first, identity)).toBe('s3cret');
    expect(() => createCredentialCipher(fresh).decrypt(first, identity)).toThrow('cannot be decrypted');
  });
});
