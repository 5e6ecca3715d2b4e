import type { Config } from '../../../config/face.js';
import { namedIn } from '../../../platform/addresses/redis-address.js';
import { splitHosts } from '../../../platform/addresses/split-hosts.js';
import { isLoopback, isLoopbackHost } from '../loopback.js';
import type { Check, HostContext } from '../check.js';
import { type DoctorFinding, findingIf, type FindingKind } from '../finding.js';

const WEAK: FindingKind = {
  id: 'configuration.weak-secret',
  severity: 'error',
  why: 'A guessable secret protects nothing.',
  remedy:
    'Generate a new one: "openssl rand -hex 32" for keys (then docs/operate/key-rotation.md), "openssl rand -base64 18" for passwords.',
};
const NO_PASSWORD: FindingKind = {
  id: 'configuration.no-password',
  severity: 'warning',
  why: 'Anyone who can reach the port can read and change everything.',
  remedy: 'Set a password for the account, and add it to the URL.',
};

/** 32 random bytes have about 30 different ones; fewer than this never happen by chance. */
const LEAST_DISTINCT_BYTES = 20;
const LEAST_PASSWORD_LENGTH = 12;
const LEAST_DISTINCT_LETTERS = 6;
const COMMON = /pass ?w?or[dt]|admin|fabula|secret|changeme|letmein|qwert|123456|geheim/i;

/** Secrets of the configuration that are easy to guess. Only the names of variables are reported. */
export const secretCheck: Check<HostContext> = {
  name: 'configured secrets',
  needs: [],
  kinds: [WEAK, NO_PASSWORD],
  run: ({ config }) => [...keyFindings(config), ...passwordFindings(config), ...storeFindings(config)],
};

function keyFindings({ encryptionKey }: Config): DoctorFinding[] {
  const distinct = encryptionKey === undefined ? LEAST_DISTINCT_BYTES : new Set(encryptionKey).size;
  const found = `ENCRYPTION_KEY has ${distinct} different bytes; a random one has about 30.`;
  const ascends = encryptionKey?.every(
    (byte, index, all) => index === 0 || byte - (all[index - 1] ?? 0) === 1,
  );
  return [
    ...findingIf(distinct < LEAST_DISTINCT_BYTES, WEAK, found),
    ...findingIf(ascends === true, WEAK, 'ENCRYPTION_KEY is a sequence of numbers.'),
  ];
}

function passwordFindings({ adminUser, adminPassword }: Config): DoctorFinding[] {
  if (adminPassword === undefined) return [];
  const isWeak = isGuessable(adminPassword) || adminPassword === adminUser;
  return findingIf(isWeak, WEAK, 'ADMIN_PASSWORD is short, common or repetitive.');
}

function isGuessable(password: string): boolean {
  return (
    password.length < LEAST_PASSWORD_LENGTH ||
    new Set(password).size < LEAST_DISTINCT_LETTERS ||
    COMMON.test(password)
  );
}

const isOpen = (address: string): boolean => new URL(address).password === '' && !isLoopback(address);

function storeFindings({ databaseUrl, databaseReadUrl, redisUrl }: Config): DoctorFinding[] {
  const redis = namedIn(redisUrl);
  const isRedisOpen = redis.password === '' && !redis.hosts.every(isLoopbackHost);
  return [
    ...findingIf(splitHosts(databaseUrl).some(isOpen), NO_PASSWORD, 'DATABASE_URL has no password.'),
    ...findingIf(
      databaseReadUrl !== undefined && splitHosts(databaseReadUrl).some(isOpen),
      NO_PASSWORD,
      'DATABASE_READ_URL has no password.',
    ),
    ...findingIf(isRedisOpen, NO_PASSWORD, 'REDIS_URL has no password.'),
  ];
}
