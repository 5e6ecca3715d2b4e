import { randomBytes } from 'node:crypto';
import { createCredentialCipher } from '../../../src/data/credentials/keys/credential-cipher.js';
import { createCredentialService } from '../../../src/data/credentials/credential-service.js';
import { createCredentialStore } from '../../../src/data/credentials/credential-store.js';
import { Unprocessable } from '../../../src/platform/errors.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const key = randomBytes(32);
const service = (encryptionKey: Buffer | undefined = key) =>
  createCredentialService({ store: createCredentialStore(stores.db), encryptionKey });
const withoutKey = () =>
  createCredentialService({ store: createCredentialStore(stores.db), encryptionKey: undefined });

describe('the cipher of credentials', () => {
  const identity = { teamId: 7, name: 'jira' };

  it.each(['s3cret', '', 'ünïcødé 🔑', 'x'.repeat(100_000)])('gives back what it took', (value) => {
    const cipher = createCredentialCipher(key);
    expect(cipher.decrypt(cipher.encrypt(value, identity), identity)).toBe(value);
  });

  it('never gives the same result twice, and starts with its version and a mark of its key', () => {
    const cipher = createCredentialCipher(key);
    const [one, two] = [cipher.encrypt('same', identity), cipher.encrypt('same', identity)];
    expect(one.equals(two)).toBe(false);
    expect([one[0], two[0]]).toEqual([2, 2]);
    expect(one.subarray(0, 9).equals(cipher.head)).toBe(true);
    expect(one.includes('same')).toBe(false);
  });

  it('binds a value to its team, its name and its key', () => {
    const cipher = createCredentialCipher(key);
    const stored = cipher.encrypt('s3cret', identity);
    const attempts = [
      () => cipher.decrypt(stored, { ...identity, teamId: 8 }),
      () => cipher.decrypt(stored, { ...identity, name: 'other' }),
      () => createCredentialCipher(randomBytes(32)).decrypt(stored, identity),
    ];
    for (const attempt of attempts) expect(attempt).toThrow('cannot be decrypted');
  });

  it('notices every change of the stored bytes', () => {
    const cipher = createCredentialCipher(key);
    const stored = cipher.encrypt('s3cret', identity);
    for (let index = 0; index < stored.length; index++) {
      const changed = Buffer.from(stored);
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index);
      expect(() => cipher.decrypt(changed, identity)).toThrow(/cannot be decrypted|unknown format/);
    }
    expect(() => cipher.decrypt(stored.subarray(0, 20), identity)).toThrow('unknown format');
  });
});

describe('credentials of a team', () => {
  it('are stored encrypted, and given in clear by name and slug', async () => {
    await service().set(1, 'Jira API', 'one');
    expect(await service().set(1, 'Jira API', 'two')).toEqual({ name: 'Jira API', slug: 'jira_api' });
    await service().set(1, 'jira api', 'three');
    await service().set(2, 'Jira API', 'other team');
    expect(await service().listValues(1)).toEqual([
      { name: 'Jira API', slug: 'jira_api', value: 'two' },
      { name: 'jira api', slug: 'jira_api', value: 'three' },
    ]);
    const rows = await stores.db.read((session) =>
      session.rows<{ v: Buffer }>('SELECT encrypted_value AS v FROM credentials'),
    );
    expect(rows).toHaveLength(3);
    expect(rows.some(({ v }) => v.includes('two') || v.includes('three'))).toBe(false);
  });

  it('need a key to be set or read, but a team without any needs none', async () => {
    expect(await withoutKey().listValues(1)).toEqual([]);
    await expect(withoutKey().set(1, 'a', 'b')).rejects.toThrow('ENCRYPTION_KEY');
    await service().set(1, 'a', 'b');
    await expect(withoutKey().listValues(1)).rejects.toBeInstanceOf(Unprocessable);
    await expect(service(randomBytes(32)).listValues(1)).rejects.toThrow('"a" cannot be decrypted');
  });

  it.each([
    ['', 'v', 'name'],
    ['x'.repeat(256), 'v', 'name'],
    ['a\nb', 'v', 'name'],
    ['a', '', 'value'],
  ])('refuse the name %j with the value %j', async (name, value, place) => {
    await expect(service().set(1, name, value)).rejects.toMatchObject({ problems: [{ details: place }] });
  });
});
