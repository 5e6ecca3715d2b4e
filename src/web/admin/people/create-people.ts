import type { Authenticator, MountOptions, RouteLimits } from '../../../api/face.js';
import { createApiRouter } from '../../../api/face.js';
import { type Config, mailedConsoleUrl } from '../../../config/face.js';
import { createMailers, createMailSettingsService, type CredentialService } from '../../../data/face.js';
import {
  type AuditTrail,
  createInvitations,
  createPasswordResets,
  createPeopleServices,
  type PeopleMailer,
  type TenantQuotas,
} from '../../../people/face.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { PeopleRouteDeps } from './people-deps.js';
import { createPeopleOrigin } from './people-origin.js';

/** Time in which a mail server must take a mail. */
const MAIL_LIMIT_MS = 60_000;

export interface CreatePeopleDeps<Services> {
  config: Config;
  database: Database;
  credentials: CredentialService;
  quotas: TenantQuotas;
  logger: Logger;
  /** Counts sign-ins. */
  onSignIn: PeopleRouteDeps['onSignIn'];
  /** The API; on this origin it takes sessions too. */
  api: MountOptions<Services>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  audit: Pick<AuditTrail, 'record'>;
  limits: RouteLimits;
}

/** Creates the services of people who sign in, and their origin (decision 0084). */
export function createPeople<Services>(deps: CreatePeopleDeps<Services>) {
  const { config, database, credentials, logger, api, authenticator, audit, limits, onSignIn } = deps;
  // With an origin of its own but no port, it is served on the port of webhooks.
  const webhookPort = config.adminPort === undefined || config.port === 0 ? undefined : config.port;
  const people = createPeopleServices({
    database,
    authenticator,
    logger,
    encryptionKey: config.encryptionKey,
  });
  const mailers = createMailers(deps);
  const settings = createMailSettingsService({ database, credentials, config });
  const mailer: PeopleMailer = {
    mayMail: async (tenantId) =>
      config.smtpUrl !== undefined || (await settings.ownServer(tenantId)) !== undefined,
    async send(tenantId, mail) {
      await mailers.of(tenantId, () => undefined).send(mail, AbortSignal.timeout(MAIL_LIMIT_MS));
    },
  };
  const mailing = { database, links: people.links, mailer };
  const resets = createPasswordResets({ ...mailing, logger });
  return {
    origin: createPeopleOrigin({
      people,
      resets,
      invitations: createInvitations(mailing),
      authenticator,
      audit,
      limits,
      adminOrigin: config.adminOrigin,
      mailedConsole: (port) => mailedConsoleUrl(config, port),
      api: (identify) => createApiRouter({ ...api, identify, webhookPort }),
      onSignIn,
    }),
    async close(): Promise<void> {
      await resets.close();
      await mailers.close();
    },
  };
}
