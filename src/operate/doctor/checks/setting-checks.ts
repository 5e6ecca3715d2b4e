import type { Config } from '../../../config/face.js';
import { isLoopback } from '../loopback.js';
import type { Check, HostContext } from '../check.js';
import { type DoctorFinding, findingIf, type FindingKind } from '../finding.js';

const BOARD: FindingKind = {
  id: 'configuration.board-half',
  severity: 'warning',
  why: 'The queue board needs both a user name and a password to sign in.',
  remedy: 'Set both ADMIN_USER and ADMIN_PASSWORD, or neither.',
};
const TIMEOUTS: FindingKind = {
  id: 'configuration.timeouts',
  severity: 'warning',
  why: 'A timeout longer than the timeout that encloses it has no effect.',
  remedy: 'Lower the inner timeout, or raise the outer one.',
};
const CONNECTIONS: FindingKind = {
  id: 'configuration.connections',
  severity: 'warning',
  why: 'A single client address can then use all connections of a listener.',
  remedy: 'Set MAX_CONNECTIONS_PER_ADDRESS below MAX_CONNECTIONS.',
};
const SENDER: FindingKind = {
  id: 'configuration.sender',
  severity: 'warning',
  why: 'Mail servers reject mail from localhost, or treat it as spam.',
  remedy: 'Set MAIL_FROM to an address in your own domain.',
};
const OUTBOUND: FindingKind = {
  id: 'configuration.outbound',
  severity: 'warning',
  why: 'OUTBOUND_DENY overrides all other settings: the network or host is always blocked.',
  remedy: 'Remove it from one of the two lists.',
};
const PLAIN: FindingKind = {
  id: 'configuration.plain-http',
  severity: 'warning',
  why: 'API keys, webhook secrets and prompt links are sent unencrypted.',
  remedy: 'Put a TLS proxy in front, and start PUBLIC_URL with https://.',
};
const PLAIN_CONSOLE: FindingKind = {
  id: 'configuration.plain-console',
  severity: 'warning',
  why: 'Passwords and sessions are sent unencrypted.',
  remedy: 'Put a TLS proxy in front, and start ADMIN_ORIGIN with https://.',
};
const NO_CONSOLE_ADDRESS: FindingKind = {
  id: 'configuration.no-admin-origin',
  severity: 'warning',
  why: 'Mails with console links are not sent: no invitations and no password links.',
  remedy: 'Set ADMIN_ORIGIN to the address browsers use for the console.',
};
const UNVERIFIED: FindingKind = {
  id: 'configuration.unverified-tls',
  severity: 'warning',
  why: 'Anyone between this machine and the store can read and change everything.',
  remedy: 'Set the certificate authority (DATABASE_TLS_CA, REDIS_TLS_CA), and enable verification.',
};
const NO_PUBLIC_URL: FindingKind = {
  id: 'configuration.no-public-url',
  severity: 'warning',
  why: 'Webhook signatures and links in mails contain the public address.',
  remedy: 'Set PUBLIC_URL to the address that clients use.',
};
const NO_KEY: FindingKind = {
  id: 'configuration.no-encryption-key',
  severity: 'warning',
  why: 'Without a key, credentials cannot be stored or used.',
  remedy:
    'Set ENCRYPTION_KEY to the output of "openssl rand -hex 32", identical for all processes, and keep a backup.',
};

/** Settings that contradict each other, or that are missing. */
export const settingCheck: Check<HostContext> = {
  name: 'settings',
  needs: [],
  kinds: [
    BOARD,
    TIMEOUTS,
    CONNECTIONS,
    SENDER,
    OUTBOUND,
    PLAIN,
    PLAIN_CONSOLE,
    NO_CONSOLE_ADDRESS,
    UNVERIFIED,
    NO_PUBLIC_URL,
    NO_KEY,
  ],
  run: ({ config }) => [
    ...boardFindings(config),
    ...timeoutFindings(config),
    ...connectionFindings(config),
    ...mailFindings(config),
    ...outboundFindings(config),
    ...addressFindings(config),
    ...consoleFindings(config),
    ...findingIf(config.encryptionKey === undefined, NO_KEY, 'ENCRYPTION_KEY is not set.'),
  ],
};

function boardFindings({ adminUser, adminPassword }: Config): DoctorFinding[] {
  const missing = adminUser === undefined ? 'ADMIN_USER' : 'ADMIN_PASSWORD';
  const isHalf = (adminUser === undefined) !== (adminPassword === undefined);
  return findingIf(isHalf, BOARD, `${missing} is not set, but its counterpart is.`);
}

function timeoutFindings({
  httpTimeoutMs,
  httpTimeoutMaxMs,
  actionDeadlineSeconds,
}: Config): DoctorFinding[] {
  const deadlineMs = actionDeadlineSeconds * 1000;
  return [
    ...findingIf(
      httpTimeoutMaxMs > deadlineMs,
      TIMEOUTS,
      `HTTP_TIMEOUT_MAX_SECONDS is ${httpTimeoutMaxMs / 1000}, ACTION_DEADLINE_SECONDS is ${actionDeadlineSeconds}.`,
    ),
    ...findingIf(
      httpTimeoutMs > deadlineMs,
      TIMEOUTS,
      `HTTP_TIMEOUT_MS is ${httpTimeoutMs}, ACTION_DEADLINE_SECONDS is ${actionDeadlineSeconds}.`,
    ),
  ];
}

function connectionFindings({ maxConnections, maxConnectionsPerAddress }: Config): DoctorFinding[] {
  const isOver =
    maxConnections !== undefined &&
    maxConnectionsPerAddress !== undefined &&
    maxConnectionsPerAddress >= maxConnections;
  const found = `MAX_CONNECTIONS_PER_ADDRESS is ${maxConnectionsPerAddress}, MAX_CONNECTIONS ${maxConnections}.`;
  return findingIf(isOver, CONNECTIONS, found);
}

function mailFindings({ smtpUrl, mailFrom }: Config): DoctorFinding[] {
  const isLocal = smtpUrl !== undefined && /@localhost\b/i.test(mailFrom);
  return findingIf(isLocal, SENDER, `SMTP_URL is set, and MAIL_FROM is ${mailFrom}.`);
}

function outboundFindings({ outboundAllow, outboundAllowHosts, outboundDeny }: Config): DoctorFinding[] {
  const both = [...outboundAllow, ...outboundAllowHosts].filter((each) => outboundDeny.includes(each));
  return findingIf(both.length > 0, OUTBOUND, `Both allowed and denied: ${both.join(', ')}.`);
}

function addressFindings(config: Config): DoctorFinding[] {
  const { publicUrl, databaseTls, redisUrl, redisTlsRejectUnauthorized } = config;
  const isPlain = publicUrl !== undefined && publicUrl.startsWith('http:') && !isLoopback(publicUrl);
  const unverifiedRedis = /^rediss[:+]/.test(redisUrl) && !redisTlsRejectUnauthorized;
  return [
    ...findingIf(publicUrl === undefined, NO_PUBLIC_URL, 'PUBLIC_URL is not set.'),
    ...findingIf(isPlain, PLAIN, 'PUBLIC_URL begins with http://.'),
    ...findingIf(
      databaseTls.rejectUnauthorized === false,
      UNVERIFIED,
      'The TLS certificate of the database is not verified.',
    ),
    ...findingIf(unverifiedRedis, UNVERIFIED, 'REDIS_TLS_REJECT_UNAUTHORIZED is false.'),
  ];
}

/** A listener on other addresses alone is no fault: containers have one, behind a port that only operators reach. */
function consoleFindings({ adminOrigin, trustedProxies }: Config): DoctorFinding[] {
  const isPlain = adminOrigin?.startsWith('http:') === true && !isLoopback(adminOrigin);
  const isUnknown = adminOrigin === undefined && trustedProxies.length > 0;
  return [
    ...findingIf(isPlain, PLAIN_CONSOLE, 'ADMIN_ORIGIN begins with http://.'),
    ...findingIf(isUnknown, NO_CONSOLE_ADDRESS, 'TRUSTED_PROXIES is set, and ADMIN_ORIGIN is not.'),
  ];
}
