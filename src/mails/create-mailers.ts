import { isIP } from 'node:net';
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

/** Returns the host of the public address if it has a domain: mail servers distrust other names. */
function mailNameOf(publicUrl: string | undefined): string | undefined {
  const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname;
  return host.includes('.') && isIP(host) === 0 ? host : undefined;
}

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
  const mailName = mailNameOf(config.publicUrl);
  const guard = {
    rules: createHopRules({ allow, deny, allowHosts, ports: ALL_PORTS }),
    names: createNameLookup(),
  };
  return createTenantMailers({
    shared: createMailer({ ...config, mailName }),
    policy: { mailFrom: config.mailFrom, allow: config.mailFromAllow },
    maxRecipients: config.mailMaxRecipients,
    quotas,
    ownServer: (tenantId) => settings.ownServer(tenantId),
    open: (server) => createSmtpTransport({ ...server, guard, mailName }),
  });
}
