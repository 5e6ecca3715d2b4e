import { createSecretSigner } from '../../src/platform/secrets/secret-signer.js';
import { createOpenedSecrets } from '../../src/engine/secrets/opened-secrets.js';
import { PermanentJobError } from '../../src/platform/errors.js';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const reference = createSecretSigner(oldKey).sign({ team: 1, credential: 'token' });

/** The secrets of an action in a process with these keys. */
const secretsWith = (previous: Buffer[], open: () => string = () => 's3cret') => {
  const signer = createSecretSigner(newKey, previous);
  return createOpenedSecrets({
    teamId: 1,
    secrets: { find: (_team, name) => Promise.resolve({ name, allowedHosts: [], open }) },
    verify: (body) => signer.verify(body),
    requireHosts: false,
  });
};

describe('after a change of the encryption key', () => {
  it('a reference of an older event is the secret while the old key is known', async () => {
    expect(await secretsWith([oldKey]).open(reference)).toBe('s3cret');
  });

  it('without the old key it is plain text', async () => {
    expect(await secretsWith([]).open(reference)).toBe(reference);
  });

  it('a credential that cannot be decrypted is a fault that no retry mends, and is named', async () => {
    const secrets = secretsWith([oldKey], () => {
      throw new Error('The credential "token" cannot be decrypted');
    });
    const opening = secrets.open(reference);
    await expect(opening).rejects.toThrow(PermanentJobError);
    await expect(opening).rejects.toThrow('The credential "token" cannot be decrypted');
  });
});
