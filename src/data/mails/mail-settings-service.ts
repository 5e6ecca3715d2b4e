import { LRUCache } from 'lru-cache';
import { type Actor, requireOwner } from '../../api/face.js';
import type { Config } from '../../config/face.js';
import { type CredentialCipher, CredentialCipherError } from '../credentials/keys/credential-cipher.js';
import type { CredentialService } from '../credentials/credential-service.js';
import { requireKnownKey } from '../credentials/keys/installation-key.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { Conflict, PermanentJobError, Unprocessable } from '../../platform/errors.js';
import {
  deleteMailSettings,
  findMailSettings,
  findMailSettingsSealedOtherwise,
  lockMailSettings,
  saveMailSettings,
  type StoredMailSettings,
} from './mail-settings-store.js';
import { type MailServer, mailServerIn, mailServerText } from './mail-server.js';
import type { MailOauth } from './mail-tokens.js';
import type { OwnMailServer } from './tenant-mailers.js';

/** How long a worker uses cached settings of a tenant. */
const FRESH_MS = 5_000;
const MAX_TENANTS = 10_000;

/** The mail settings of a tenant, without the password. */
export interface MailSettingsView {
  /** `smtps://host:port`; null: the server's own. */
  smtpServer: string | null;
  smtpUser: string | null;
  /** The access by tokens, without secrets; null: a password, or no login. */
  smtpOauth: Pick<MailOauth, 'tokenUrl' | 'clientId' | 'scope'> | null;
  mailFrom: string;
  mailFromAllow: string[];
  updatedAt: Date | null;
}

/**
 * A change of the settings. Without `smtpUrl` the mail server stays; null removes the tenant's own. Another mail server needs
 * its access by tokens with it: it gets none that was given for the one before.
 */
export interface MailSettingsChange {
  smtpUrl?: string | null | undefined;
  /** Null: a password of the URL, or no login. */
  smtpOauth?: MailOauth | null | undefined;
  mailFrom?: string | undefined;
  mailFromAllow?: readonly string[] | undefined;
}

export interface MailSettingsServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  credentials: Pick<CredentialService, 'cipher'>;
  config: Pick<Config, 'mailFrom' | 'mailFromAllow'>;
}

export type MailSettingsService = ReturnType<typeof createMailSettingsService>;

/** The mail servers of tenants: set by Owners, used for the tenant's mails, never returned with a password. */
export function createMailSettingsService({ database, credentials, config }: MailSettingsServiceDeps) {
  const known = new LRUCache<number, { own: OwnMailServer | undefined; readAt: number; version: number }>({
    max: MAX_TENANTS,
  });
  const viewOf = (tenantId: number): Promise<MailSettingsView> =>
    database.read(async (session) => {
      const stored = await findMailSettings(tenantId, session);
      return stored === undefined ? sharedView(config) : ownView(stored, credentials.cipher());
    });
  const set = async (tenantId: number, change: MailSettingsChange): Promise<MailSettingsView> => {
    await retryLockConflicts(() =>
      database.transaction(async (session) => {
        if (change.smtpUrl === null) return deleteMailSettings(tenantId, session);
        if (change.smtpUrl !== undefined || change.smtpOauth !== undefined)
          await requireKnownKey(session, credentials.cipher());
        const before = await lockMailSettings(tenantId, session);
        return saveMailSettings(settingsOf(tenantId, { before, change }, credentials.cipher()), session);
      }),
    );
    return viewOf(tenantId);
  };

  return {
    /** @throws Forbidden for everybody but Owners; Conflict if the URL cannot be decrypted. */
    async get(actor: Actor): Promise<MailSettingsView> {
      requireOwner(actor);
      return viewOf(actor.tenantId);
    },

    /** @throws Forbidden; Unprocessable if a required part or ENCRYPTION_KEY is missing. */
    async update(actor: Actor, change: MailSettingsChange): Promise<MailSettingsView> {
      requireOwner(actor);
      return set(actor.tenantId, change);
    },

    viewOf,
    set,

    /**
     * Returns the tenant's own mail server, at most five seconds old; the same object until the settings change.
     * @throws PermanentJobError if it cannot be decrypted.
     */
    async ownServer(tenantId: number): Promise<OwnMailServer | undefined> {
      const entry = known.get(tenantId);
      const now = performance.now();
      if (entry !== undefined && now - entry.readAt < FRESH_MS) return entry.own;
      const stored = await database.read((session) => findMailSettings(tenantId, session));
      const version = stored?.updatedAt.getTime() ?? 0;
      const own = entry?.version === version ? entry.own : stored && serverOf(stored, credentials);
      known.set(tenantId, { own, readAt: now, version });
      return own;
    },

    /** Encrypts every mail server under the current key. Returns their number, and the tenants that no configured key decrypts. */
    async rotate(): Promise<{ rotated: number; unreadable: number[] }> {
      const cipher = credentials.cipher();
      const ids = await database.read((session) => findMailSettingsSealedOtherwise(cipher.head, session));
      const unreadable: number[] = [];
      for (const id of ids) if (!(await reseal(id, cipher, database))) unreadable.push(id);
      return { rotated: ids.length - unreadable.length, unreadable };
    },
  };
}

/** Returns what a tenant's mail server is encrypted for. Team 0 does not exist, so no credential has this identity. */
export const mailServerIdentity = (tenantId: number) => ({
  teamId: 0,
  name: `mail server of tenant ${tenantId}`,
});

function opened({ tenantId, encryptedSmtpUrl }: StoredMailSettings, cipher: CredentialCipher): string {
  return cipher.decrypt(encryptedSmtpUrl, mailServerIdentity(tenantId));
}

function serverOf(stored: StoredMailSettings, credentials: Pick<CredentialService, 'cipher'>): OwnMailServer {
  try {
    const server = mailServerIn(opened(stored, credentials.cipher()));
    return { ...server, mailFrom: stored.mailFrom, allow: listOf(stored.mailFromAllow) };
  } catch (error) {
    if (!(error instanceof CredentialCipherError || error instanceof Unprocessable)) throw error;
    throw new PermanentJobError(error.message, { cause: error });
  }
}

/** Returns the settings to store. @throws Unprocessable if the tenant has no mail server and the change gives none. */
function settingsOf(
  tenantId: number,
  { before, change }: { before: StoredMailSettings | undefined; change: MailSettingsChange },
  cipher: CredentialCipher,
): Omit<StoredMailSettings, 'updatedAt'> {
  const { mailFrom = before?.mailFrom, mailFromAllow } = change;
  const server = newServer(before, change, cipher);
  if (server?.oauth !== undefined) requireUserAlone(server.smtpUrl);
  const sealed =
    server === undefined
      ? before?.encryptedSmtpUrl
      : cipher.encrypt(mailServerText(server), mailServerIdentity(tenantId));
  const missing = [
    ...(sealed === undefined ? ['smtp_url'] : []),
    ...(mailFrom === undefined ? ['mail_from'] : []),
  ];
  if (sealed === undefined || mailFrom === undefined) {
    throw new Unprocessable(
      missing.map((details) => ({
        message: `"${details}" is required, because the tenant has none`,
        details,
      })),
    );
  }
  const allow = mailFromAllow === undefined ? (before?.mailFromAllow ?? '') : mailFromAllow.join(',');
  return { tenantId, encryptedSmtpUrl: sealed, mailFrom, mailFromAllow: allow };
}

/** Returns the mail server that a change makes; undefined: it stays as it is. */
function newServer(
  before: StoredMailSettings | undefined,
  { smtpUrl, smtpOauth }: MailSettingsChange,
  cipher: CredentialCipher,
): MailServer | undefined {
  if (smtpUrl !== undefined && smtpUrl !== null) return { smtpUrl, oauth: smtpOauth ?? undefined };
  if (before === undefined || smtpOauth === undefined) return undefined;
  return { ...mailServerIn(shownUrl(before, cipher)), oauth: smtpOauth ?? undefined };
}

/** @throws Unprocessable unless the URL has a user, for whom the tokens are, and no password. */
function requireUserAlone(smtpUrl: string): void {
  const { username, password } = new URL(smtpUrl);
  if (username !== '' && password === '') return;
  const message = 'With "smtp_oauth", "smtp_url" must have a user and no password';
  throw new Unprocessable([{ message, details: 'smtp_url' }]);
}

function sharedView({
  mailFrom,
  mailFromAllow,
}: Pick<Config, 'mailFrom' | 'mailFromAllow'>): MailSettingsView {
  return { smtpServer: null, smtpUser: null, smtpOauth: null, mailFrom, mailFromAllow, updatedAt: null };
}

/** @throws Conflict if the URL cannot be decrypted. */
function ownView(stored: StoredMailSettings, cipher: CredentialCipher): MailSettingsView {
  const { smtpUrl, oauth } = mailServerIn(shownUrl(stored, cipher));
  const { protocol, host, username } = new URL(smtpUrl);
  return {
    smtpServer: `${protocol}//${host}`,
    smtpUser: username === '' ? null : decodeURIComponent(username),
    smtpOauth:
      oauth === undefined ? null : { tokenUrl: oauth.tokenUrl, clientId: oauth.clientId, scope: oauth.scope },
    mailFrom: stored.mailFrom,
    mailFromAllow: listOf(stored.mailFromAllow),
    updatedAt: stored.updatedAt,
  };
}

function shownUrl(stored: StoredMailSettings, cipher: CredentialCipher): string {
  try {
    return opened(stored, cipher);
  } catch (error) {
    if (!(error instanceof CredentialCipherError)) throw error;
    throw new Conflict('The mail server was encrypted with another ENCRYPTION_KEY: set it again');
  }
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

/** Encrypts again under the row's lock; returns false if no key decrypts the URL. */
function reseal(
  tenantId: number,
  cipher: CredentialCipher,
  database: Pick<Database, 'transaction'>,
): Promise<boolean> {
  return retryLockConflicts(() =>
    database.transaction(async (session) => {
      const stored = await lockMailSettings(tenantId, session);
      if (stored === undefined) return true;
      try {
        const encryptedSmtpUrl = cipher.encrypt(opened(stored, cipher), mailServerIdentity(tenantId));
        await saveMailSettings({ ...stored, encryptedSmtpUrl }, session);
        return true;
      } catch (error) {
        if (error instanceof CredentialCipherError) return false;
        throw error;
      }
    }),
  );
}
