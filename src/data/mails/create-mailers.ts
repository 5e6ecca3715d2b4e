import { isIP } from 'node:net';
import { clientOptions, type Config } from '../../config/face.js';
import type { CredentialService } from '../credentials/credential-service.js';
import type { Database } from '../../platform/mysql/database.js';
import { createHopRules, type PortRange } from '../../platform/outbound/addresses/hop-rules.js';
import { createHttpClient } from '../../platform/outbound/http-client.js';
import { createMailer } from '../../platform/outbound/mail/mailer.js';
import { createNameLookup } from '../../platform/outbound/addresses/name-lookup.js';
import { createSmtpTransport } from '../../platform/outbound/mail/smtp-transport.js';
import type { TenantQuotas } from '../../people/face.js';
import { createMailSettingsService } from './mail-settings-service.js';
import { createMailTokens, type MailOauth } from './mail-tokens.js';
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

/** Returns the access by tokens to the mail server of the installation; undefined: it has a password, or needs no login. */
export function mailOauthOf({ smtpOauth }: Pick<Config, 'smtpOauth'>): MailOauth | undefined {
  const { tokenUrl, clientId, ...rest } = smtpOauth;
  return tokenUrl === undefined || clientId === undefined ? undefined : { tokenUrl, clientId, ...rest };
}

/** The tenant for which tokens of the installation's own mail server are fetched. */
export const NO_TENANT = 0;

/** Creates the mailers of a worker process, with the server's own settings and those of its tenants. */
export function createMailers({ config, database, credentials, quotas }: MailersDeps): TenantMailers {
  const settings = createMailSettingsService({ database, credentials, config });
  const { outboundAllow: allow, outboundDeny: deny, outboundAllowHosts: allowHosts } = config;
  const mailName = mailNameOf(config.publicUrl);
  const guard = {
    rules: createHopRules({ allow, deny, allowHosts, ports: ALL_PORTS }),
    names: createNameLookup(),
  };
  const http = createHttpClient(clientOptions(config));
  const tokensOf = (oauth: MailOauth | undefined, tenantId: number) =>
    oauth && createMailTokens(oauth, { http, tenantId });
  const shared = createMailer({ ...config, mailName, tokens: tokensOf(mailOauthOf(config), NO_TENANT) });
  const mailers = createTenantMailers({
    shared,
    policy: { mailFrom: config.mailFrom, allow: config.mailFromAllow },
    maxRecipients: config.mailMaxRecipients,
    quotas,
    ownServer: (tenantId) => settings.ownServer(tenantId),
    open: (server, tenantId) =>
      createSmtpTransport({ ...server, guard, mailName, tokens: tokensOf(server.oauth, tenantId) }),
  });
  return {
    ...mailers,
    async close() {
      await mailers.close();
      await http.close();
    },
  };
}
