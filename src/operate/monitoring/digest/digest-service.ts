import { type Actor, requireTeam } from '../../../api/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import { isWebAddress } from '../../../stories/face.js';
import {
  deleteDigest,
  type DigestSettings,
  findDigest,
  saveDigest,
  type StoredDigest,
} from './digest-store.js';
import { nextDigestTime } from './digest-times.js';

/** Wanted settings. No recipients: the digest is off. `secret` undefined: it stays; null: there is none. */
export interface DigestRequest extends DigestSettings {
  secret?: string | null | undefined;
}

export interface DigestServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Returns the database's time. */
  nowMs(): Promise<number>;
}

export type DigestService = ReturnType<typeof createDigestService>;

/** The daily digests of teams, for their TEAM_ADMINs. Each call throws NotFound and Forbidden for the team. */
export function createDigestService(deps: DigestServiceDeps) {
  const { database } = deps;
  return {
    /** Returns the digest; undefined: it is off. */
    async get(actor: Actor, teamId: number): Promise<StoredDigest | undefined> {
      requireTeam(actor, teamId, 'manage');
      return database.read((session) => findDigest(teamId, session));
    },

    /**
     * Switches the digest on or off, or changes it. Returns it; undefined: it is off.
     * @throws Unprocessable if requests to another address would be signed with a secret that is not given again.
     */
    async set(actor: Actor, teamId: number, wanted: DigestRequest): Promise<StoredDigest | undefined> {
      requireTeam(actor, teamId, 'manage');
      const nextAt = nextDigestTime(wanted, new Date(await deps.nowMs()));
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          if (wanted.recipients.length === 0) await deleteDigest(teamId, session);
          else {
            requireSecretAgain(wanted, await findDigest(teamId, session));
            const { tenantId } = actor;
            await saveDigest({ ...wanted, teamId, tenantId, nextAt, secret: wanted.secret }, session);
          }
          return findDigest(teamId, session);
        }),
      );
    },
  };
}

/** Signed digests go only to the addresses that the secret was given for. */
function requireSecretAgain({ recipients, secret }: DigestRequest, before: StoredDigest | undefined): void {
  if (before?.isSigned !== true || secret !== undefined) return;
  const isNew = (address: string) => isWebAddress(address) && !before.recipients.includes(address);
  if (!recipients.some(isNew)) return;
  throw new Unprocessable([
    {
      message: '"secret" is required again, because "recipients" contains a new HTTP or HTTPS address',
      details: 'secret',
    },
  ]);
}
