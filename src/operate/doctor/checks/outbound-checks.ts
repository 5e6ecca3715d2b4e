import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { clientOptions, type Config } from '../../../config/face.js';
import { createMailTokens, mailOauthOf, NO_TENANT } from '../../../data/face.js';
import { AgentError, messageOf } from '../../../platform/errors.js';
import { createHttpClient } from '../../../platform/outbound/http-client.js';
import { namedIn } from '../../../platform/addresses/redis-address.js';
import { splitHosts } from '../../../platform/addresses/split-hosts.js';
import { tlsReason } from '../../../platform/outbound/tls-reason.js';
import { verifySmtp } from '../../../platform/outbound/mail/verify-smtp.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import type { Check, HostContext } from '../check.js';
import { type DoctorFinding, finding, findingIf, type FindingKind } from '../finding.js';

const DNS: FindingKind = {
  id: 'outbound.dns',
  severity: 'error',
  why: 'A configured host name does not resolve, or its lookup times out.',
  remedy: 'Correct the name, or the DNS resolver of this machine (/etc/resolv.conf).',
};
const PROXY: FindingKind = {
  id: 'outbound.proxy',
  severity: 'error',
  why: 'All HTTP requests of stories use the proxy. Without it, every request fails.',
  remedy: 'Correct OUTBOUND_PROXY, or start the proxy.',
};
const MAIL_SERVER: FindingKind = {
  id: 'outbound.mail-server',
  severity: 'error',
  why: 'Mail waits and is retried. After MAX_ATTEMPTS it becomes a dead letter.',
  remedy: 'Check the host, port and encryption in SMTP_URL, and any firewall in between.',
};
const MAIL_LOGIN: FindingKind = {
  id: 'outbound.mail-login',
  severity: 'error',
  why: 'The mail server rejects the user name or password, so no mail is sent.',
  remedy:
    'Correct the user name and password in SMTP_URL, or the OAuth client in the SMTP_OAUTH_ variables. Percent-encode special characters (@ is %40).',
};
const MAIL_TOKEN: FindingKind = {
  id: 'outbound.mail-token',
  severity: 'error',
  why: 'The mail server accepts no login without a token, so no mail is sent.',
  remedy: 'Correct the SMTP_OAUTH_ variables. After invalid_grant, someone must authorize access again.',
};
const MAIL_FILES: FindingKind = {
  id: 'outbound.mail-files',
  severity: 'note',
  why: 'Without SMTP_URL, mail is not sent. Each message is written to a file in DATA_DIR/mail.',
  remedy: 'Set SMTP_URL and MAIL_FROM.',
};

const LIMIT_MS = 5_000;

/** The names of the hosts in the configuration. */
export const dnsCheck: Check<HostContext> = {
  name: 'host names',
  needs: [],
  kinds: [DNS],
  async run({ config }) {
    const found = await Promise.all(hostsIn(config).map(([variable, host]) => lookUp(variable, host)));
    return found.flat();
  },
};

function hostsIn(config: Config): [variable: string, host: string][] {
  const addresses: [string, string | undefined][] = [
    ...splitHosts(config.databaseUrl).map((each): [string, string] => ['DATABASE_URL', each]),
    ...splitHosts(config.databaseReadUrl ?? '').map((each): [string, string] => ['DATABASE_READ_URL', each]),
    ['SMTP_URL', config.smtpUrl],
    ['SMTP_OAUTH_TOKEN_URL', config.smtpOauth.tokenUrl],
    ['OUTBOUND_PROXY', config.outboundProxy],
    ['PUBLIC_URL', config.publicUrl],
  ];
  const hosts = addresses.map(([variable, address]): [string, string] => [
    variable,
    address === undefined || address === '' ? '' : hostOf(address),
  ]);
  const ofRedis = namedIn(config.redisUrl).hosts.map((host): [string, string] => ['REDIS_URL', host]);
  return [...hosts, ...ofRedis].filter(([, host]) => host !== '' && isIP(host) === 0);
}

const hostOf = (address: string) => new URL(address).hostname.replace(/^\[|\]$/g, '');

async function lookUp(variable: string, host: string): Promise<DoctorFinding[]> {
  try {
    await withTimeout(lookup(host), LIMIT_MS);
    return [];
  } catch (error) {
    return [finding(DNS, `${variable}: ${host} does not resolve (${reasonOf(error)}).`)];
  }
}

/** Whether the proxy takes connections. */
export const proxyCheck: Check<HostContext> = {
  name: 'outbound proxy',
  needs: [],
  kinds: [PROXY],
  async run({ config: { outboundProxy } }) {
    if (outboundProxy === undefined) return [];
    const { protocol, port } = new URL(outboundProxy);
    const refusal = await connectTo(
      hostOf(outboundProxy),
      Number(port) || (protocol === 'https:' ? 443 : 80),
    );
    return findingIf(refusal !== undefined, PROXY, `The proxy is unreachable: ${refusal}.`);
  },
};

/** Opens a connection and closes it. Returns why that failed. */
function connectTo(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: LIMIT_MS });
    const end = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end(`no response within ${LIMIT_MS} ms`));
    socket.on('error', (error) => end(reasonOf(error)));
  });
}

/** Whether the mail server of the installation takes a login. */
export const mailCheck: Check<HostContext> = {
  name: 'mail server',
  needs: [],
  kinds: [MAIL_SERVER, MAIL_LOGIN, MAIL_TOKEN, MAIL_FILES],
  async run({ config }) {
    const { smtpUrl } = config;
    if (smtpUrl === undefined) return [finding(MAIL_FILES, 'SMTP_URL is not set.')];
    const oauth = mailOauthOf(config);
    const http = createHttpClient(clientOptions(config));
    try {
      const tokens = oauth && createMailTokens(oauth, { http, tenantId: NO_TENANT });
      await withTimeout(verifySmtp({ smtpUrl, tokens }, LIMIT_MS), LIMIT_MS);
      return [];
    } catch (error) {
      if (error instanceof AgentError) return [finding(MAIL_TOKEN, `${error.message.replace(/\.$/, '')}.`)];
      const isLogin = (error as NodeJS.ErrnoException).code === 'EAUTH';
      return [finding(isLogin ? MAIL_LOGIN : MAIL_SERVER, `The mail server: ${reasonOf(error)}.`)];
    } finally {
      await http.close();
    }
  },
};

/** An error of several connection attempts has a code and no message. */
function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const message = messageOf(error);
  return (tlsReason(message) ?? (message || code || 'unknown reason')).replace(/\.$/, '');
}
