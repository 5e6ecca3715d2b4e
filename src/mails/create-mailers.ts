import type { Config } from '../config/config.js';
import type { CredentialService } from '../credentials/credential-service.js';
import type { Database } from '../platform/mysql/database.js';
import { createHopRules, type PortRange } from '../platform/outbound/addresses/hop-rules.js';
import { createMailer } from '../platform/outbound/mail/mailer.js';
import { createNameLookup } from '../platform/outbound/addresses/name-lookup.js';
import { createSmtpTransport } from '../platform/outbound/mail/smtp-transport.js';
import type { TenantQuotas } from '../access/quotas/tenant-quotas.js';
import { createMailSettingsService } from './mail-settings-service.js';
import { createTenantMailers, type TenantMailers } from './tenant-mailers.js';

/** Ports of mail servers are not limited to the ports that are open to HTTP. */
const ALL_PORTS: PortRange[] = [[1, 65_535]];

export interface MailersDeps {
  config: Config;
  database: Database;
  credentials: CredentialService;
  quotas: TenantQuotas;
}

/** Creates the mailers of a worker process, with the server's own settings and those of its tenants. */
export function createMailers({ config, database, credentials, quotas }: MailersDeps): TenantMailers {
  const settings = createMailSettingsService({ database, credentials, config });
  const { outboundAllow: allow, outboundDeny: deny, outboundAllowHosts: allowHosts } = config;
  const guard = {
    rules: createHopRules({ allow, deny, allowHosts, ports: ALL_PORTS }),
    names: createNameLookup(),
  };
  return createTenantMailers({
    shared: createMailer(config),
    policy: { mailFrom: config.mailFrom, allow: config.mailFromAllow },
    maxRecipients: config.mailMaxRecipients,
    quotas,
    ownServer: (tenantId) => settings.ownServer(tenantId),
    open: (server) => createSmtpTransport({ ...server, guard }),
  });
}
