import {
  type AuditTrail,
  createInvitations,
  createPasswordResets,
  createPeopleServices,
  type PeopleMailer,
} from '../../people/face.js';
import type { Authenticator, MountOptions, RouteLimits } from '../../api/face.js';
import { createPeopleOrigin } from '../../web/face.js';
import { createMailers, createMailSettingsService } from '../../data/face.js';
import { mailedConsoleUrl } from '../../config/face.js';
import { createApiRouter } from '../api-router.js';
import type { CoreServices } from './core-services.js';

/** Time in which a mail server must take a mail. */
const MAIL_LIMIT_MS = 60_000;

/** The services that both origins of a web process use. */
export interface PeopleOptions<Services> {
  /** The API; on this origin it takes sessions too. */
  api: MountOptions<Services>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  audit: Pick<AuditTrail, 'record'>;
  limits: RouteLimits;
}

/** Creates the services of people who sign in, and their origin (decision 0084). */
export function createPeople<Services>(core: CoreServices, options: PeopleOptions<Services>) {
  const { config, database, loggers, metrics, credentials } = core;
  const { api, authenticator, audit, limits } = options;
  // With an origin of its own but no port, it is served on the port of webhooks.
  const webhookPort = config.adminPort === undefined || config.port === 0 ? undefined : config.port;
  const logger = loggers.access;
  const people = createPeopleServices({
    database,
    authenticator,
    logger,
    encryptionKey: config.encryptionKey,
  });
  const mailers = createMailers(core);
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
      onSignIn: (outcome, method) => metrics?.personSignedIn(outcome, method),
    }),
    async close(): Promise<void> {
      await resets.close();
      await mailers.close();
    },
  };
}
