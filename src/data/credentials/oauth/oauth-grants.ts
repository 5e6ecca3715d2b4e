import { NotFound } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { CredentialCipher } from '../keys/credential-cipher.js';
import { sealedText, modeSettingsIn } from '../credential-plan.js';
import { findSealed, lockCredential, reseal, type SealedCredential } from '../credential-store.js';
import type { CredentialMode, ModeSettings, StoredGrant } from '../modes/credential-modes.js';
import { deleteToken } from '../tokens/token-store.js';
import { noteAccessEnd } from './access-end-store.js';
import { endReconnect, noteReconnect } from './reconnect-store.js';

export type OauthGrants = ReturnType<typeof createOauthGrants>;

/** The access that people have allowed: access and refresh tokens, among the encrypted settings of their credential. */
export function createOauthGrants(deps: {
  database: Pick<Database, 'read' | 'transaction'>;
  cipher(): CredentialCipher;
}) {
  const opened = (sealed: SealedCredential): ModeSettings =>
    modeSettingsIn(sealed.mode as CredentialMode, deps.cipher().decrypt(sealed.encryptedValue, sealed));

  /** Changes the grant under the credential's lock. @throws NotFound if a person connects a credential that is gone. */
  const change = (
    id: number,
    {
      isNew = false,
      works = false,
      change: changed,
    }: {
      isNew?: boolean;
      /** Whether its server has just given a token. */
      works?: boolean;
      change: (before: StoredGrant | undefined) => StoredGrant | undefined;
    },
  ): Promise<void> =>
    retryLockConflicts(() =>
      deps.database.transaction(async (session) => {
        const sealed = await lockCredential(id, session);
        if (sealed?.mode !== 'OAUTH') {
          if (isNew) throw new NotFound('Credential');
          return;
        }
        const settings = opened(sealed);
        const grant = changed(settings.grant);
        const text = sealedText('OAUTH', { ...settings, ...(grant !== undefined && { grant }) });
        await reseal(id, deps.cipher().encrypt(text, sealed), session);
        await noteAccessEnd(id, grant, session);
        if (works) await endReconnect(id, session);
        if (isNew) await deleteToken(id, session);
      }),
    );

  return {
    /** Returns the newest settings of a credential; undefined if it is gone. */
    async settings(id: number): Promise<ModeSettings | undefined> {
      const sealed = await deps.database.read((session) => findSealed(id, session));
      return sealed?.mode === 'OAUTH' ? opened(sealed) : undefined;
    },

    /** Stores what a person has allowed; a token of an earlier grant is forgotten. */
    connect: (id: number, grant: StoredGrant) =>
      change(id, { isNew: true, works: true, change: () => grant }),

    /**
     * Stores the tokens that `refreshToken` has brought, unless there is a newer one. A server that gives no new refresh token
     * means that the old one goes on.
     */
    refresh: (id: number, refreshToken: string, grant: StoredGrant) =>
      change(id, {
        works: true,
        change: (before) => (before?.refreshToken === refreshToken ? { refreshToken, ...grant } : before),
      }),

    /** Forgets a refresh token that its server takes no more, unless there is a newer one. */
    forget: (id: number, refreshToken: string) =>
      change(id, {
        change: (before) => {
          if (before?.refreshToken !== refreshToken) return before;
          const { refreshToken: _, ...rest } = before;
          return rest;
        },
      }),

    /** Notes that a person must connect it, and why. Returns for how many seconds this has been known. */
    needPerson: (id: number, reason: string): Promise<number> =>
      deps.database.read((session) => noteReconnect(id, reason, session)),

    /** Lets the access token end now, if there is another to be had. */
    expire: (id: number) =>
      change(id, {
        change: (before) => (before?.refreshToken === undefined ? before : { ...before, expiresAtMs: 0 }),
      }),
  };
}
