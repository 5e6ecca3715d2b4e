import { createSecretSigner } from '../../src/platform/secrets/secret-signer.js';
import type { Obtained } from '../../src/data/face.js';
import { createOpenedSecrets } from '../../src/engine/secrets/opened-secrets.js';

/** Returns the secrets of the clients of a team's actions, with these credentials, of which each yields what was `obtained`, if given; all teams share one key. */
export function openedFor(credentials: Record<string, string>, teamId = 1, obtained?: Obtained) {
  const signer = createSecretSigner(Buffer.alloc(32, 7));
  const secrets = createOpenedSecrets({
    teamId,
    secrets: {
      find: (_team, name) =>
        Promise.resolve(
          credentials[name] === undefined
            ? undefined
            : {
                name,
                allowedHosts: [],
                open: () => credentials[name] ?? '',
                ...(obtained === undefined ? {} : { obtain: () => Promise.resolve(obtained) }),
              },
        ),
    },
    verify: (body) => signer.verify(body),
    requireHosts: false,
  });
  return { secrets, signer, reference: (credential: string) => signer.sign({ team: teamId, credential }) };
}
