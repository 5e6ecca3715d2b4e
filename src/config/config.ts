import path from 'node:path';
import Joi from 'joi';
import {
  type StrangerEnvironment,
  type StrangerSettings,
  strangerSettings,
  strangerVariables,
} from './stranger-settings.js';
import {
  type AdminEnvironment,
  type AdminSettings,
  adminSettings,
  adminVariables,
  apartFromTenants,
} from './admin-settings.js';
import { DATABASE_VARIABLES, firstOf, present, REDIS_VARIABLES } from './given-variables.js';
import {
  type LimitEnvironment,
  type LimitSettings,
  limitSettings,
  limitVariables,
} from './limit-settings.js';
import { type MailEnvironment, type MailSettings, mailSettings, mailVariables } from './mail-settings.js';
import {
  addressFaults,
  type AddressEnvironment,
  type AddressSettings,
  addressSettings,
  addressVariables,
} from './address-settings.js';
import {
  type OutboundEnvironment,
  type OutboundSettings,
  outboundSettings,
  outboundVariables,
} from './outbound-settings.js';
import {
  commaList,
  encryptionKey,
  encryptionKeys,
  schemes,
} from '../platform/validation/variable-schemas.js';

/** Everything a process needs to know about where and how it runs. */
export interface Config
  extends LimitSettings,
    MailSettings,
    StrangerSettings,
    AddressSettings,
    OutboundSettings,
    AdminSettings {
  port: number;
  host: string;
  /** Absolute path; holds what is written to disk (mails without SMTP, the embedded stores). */
  dataDir: string;
  /** Whom `npm start` by root goes on as; undefined: `fabula` or `nobody`. */
  runAsUser: string | undefined;
  /** Without a trailing slash; undefined: the request's own host is used where it is one of ours (decision 0028). */
  publicUrl: string | undefined;
  /** 32 bytes; credentials are encrypted with it (AES-256-GCM). */
  encryptionKey: Buffer | undefined;
  /** Keys that credentials may still be encrypted with; for reading alone (docs/operations/key-rotation.md). */
  encryptionKeysPrevious: Buffer[];
  /** Whether credentials that may be sent to any host are refused (decision 0026). */
  requireCredentialHosts: boolean;
  /** Whether credentials may hold API keys of this server with more rights than an EDITOR of the team has. */
  credentialKeysAboveEditor: boolean;
  /** Addresses of proxies whose `X-Forwarded-*` headers are believed (Express `trust proxy`). */
  trustedProxies: string[];
  logLevel: string;
  queuePrefix: string;
  /** How old what is known of stories may be while the database is out of reach (rule 18). */
  storyStaleSeconds: number;
  /** What the spool may hold in Redis; undefined: a quarter of the memory that Redis may use. */
  spoolMaxBytes: number | undefined;
  bodyLimitBytes: number;
  webhookSignatureToleranceSeconds: number;
  /** How long a response-enabled webhook waits for an exit action (spec §4.7). */
  responseWaitMs: number;
  /** Response-enabled webhooks waited for at once, a tenant (spec §4.7). */
  responseConcurrency: number;
  responseConcurrencyDedicated: number;
  /** Webhook calls are refused (503) while others have waited longer than this to be stored. */
  acceptWaitMs: number;
  databasePoolSize: number;
  /** Jobs one process works on at once, for each queue. */
  workerConcurrency: number;
  /** How much of the time of a worker's event loop one tenant may have while there are others, from 0 to 1. */
  tenantCpuShare: number;
  /** How long one action may take in all. */
  actionDeadlineSeconds: number;
  /** A worker that takes no jobs for so long although some wait, or whose event loop is blocked, ends. */
  workerStallSeconds: number;
  /** Attempts of one delivery before it is set aside as a dead letter. */
  maxAttempts: number;
  /** A delivery this many hops from the start of its run is refused: a runaway loop. */
  maxDepth: number;
  /** Events of one run that goes round in a loop, before it is stopped. */
  runEventLimit: number;
  /** Stories that may call each other, one inside the other. */
  maxCallDepth: number;
  /** A process that is told to stop has stopped within this. */
  shutdownSeconds: number;
  /** How long dead letters are kept, and with them the events of their runs. */
  deadLetterRetentionDays: number;
  /** How long the audit log is kept; 0 = for ever. */
  auditRetentionDays: number;
  /** How long the link of a prompt works. */
  promptExpirySeconds: number;
  /** Whether a prompt's link asks before it acts. */
  promptConfirm: boolean;
}

const environment = Joi.object({
  ...limitVariables,
  ...mailVariables,
  ...addressVariables,
  ...strangerVariables,
  ...outboundVariables,
  ...adminVariables,
  PORT: Joi.number().integer().min(0).max(65535).default(3000),
  HOST: Joi.string().default('0.0.0.0'),
  DATA_DIR: Joi.string().default('.data'),
  FABULA_USER: Joi.string(),
  PUBLIC_URL: schemes('http', 'https'),
  ENCRYPTION_KEY: encryptionKey,
  ENCRYPTION_KEY_PREVIOUS: encryptionKeys.default([]),
  REQUIRE_CREDENTIAL_HOSTS: Joi.boolean().default(false),
  CREDENTIAL_KEYS_ABOVE_EDITOR: Joi.boolean().default(false),
  TRUSTED_PROXIES: commaList(Joi.string(), 'expected addresses or CIDRs').default([]),
  LOG_LEVEL: Joi.string().valid('error', 'warn', 'info', 'debug').default('info'),
  QUEUE_PREFIX: Joi.string()
    .pattern(/^[A-Za-z0-9_-]{1,40}$/, 'letters, digits, - and _')
    .default('fabula'),
  STORY_STALE_SECONDS: Joi.number().integer().min(5).max(86_400).default(900),
  SPOOL_MAX_BYTES: Joi.number().integer().min(1024),
  BODY_LIMIT_BYTES: Joi.number()
    .integer()
    .min(1024)
    .default(10 * 1024 * 1024),
  WEBHOOK_SIGNATURE_TOLERANCE_SECONDS: Joi.number().integer().min(1).default(300),
  RESPONSE_WAIT_MS: Joi.number().integer().min(100).default(30_000),
  RESPONSE_CONCURRENCY: Joi.number().integer().min(1).default(10),
  RESPONSE_CONCURRENCY_DEDICATED: Joi.number().integer().min(1).default(1000),
  ACCEPT_WAIT_MS: Joi.number().integer().min(10).default(2_000),
  DATABASE_POOL_SIZE: Joi.number().integer().min(2).max(200).default(8),
  WORKER_CONCURRENCY: Joi.number().integer().min(1).max(1000).default(50),
  TENANT_CPU_SHARE: Joi.number().min(0.01).max(1).default(0.2),
  ACTION_DEADLINE_SECONDS: Joi.number().integer().min(1).max(86_400).default(660),
  WORKER_STALL_SECONDS: Joi.number().integer().min(1).max(3600).default(60),
  MAX_ATTEMPTS: Joi.number().integer().min(1).default(10),
  MAX_DEPTH: Joi.number().integer().min(1).default(20_000),
  RUN_EVENT_LIMIT: Joi.number().integer().min(10).default(20_000),
  MAX_CALL_DEPTH: Joi.number().integer().min(1).max(50).default(10),
  SHUTDOWN_SECONDS: Joi.number().integer().min(3).max(3600).default(25),
  DEAD_LETTER_RETENTION_DAYS: Joi.number().integer().min(1).max(3650).default(14),
  AUDIT_RETENTION_DAYS: Joi.number().integer().min(0).max(36_500).default(365),
  PROMPT_EXPIRY_SECONDS: Joi.number().integer().min(1).max(31_536_000).default(604_800),
  PROMPT_CONFIRM: Joi.boolean().default(true),
}).custom(apartFromTenants);

interface Environment
  extends LimitEnvironment,
    MailEnvironment,
    StrangerEnvironment,
    AddressEnvironment,
    OutboundEnvironment,
    AdminEnvironment {
  PORT: number;
  HOST: string;
  DATA_DIR: string;
  FABULA_USER?: string;
  PUBLIC_URL?: string;
  ENCRYPTION_KEY?: Buffer;
  ENCRYPTION_KEY_PREVIOUS: Buffer[];
  REQUIRE_CREDENTIAL_HOSTS: boolean;
  CREDENTIAL_KEYS_ABOVE_EDITOR: boolean;
  TRUSTED_PROXIES: string[];
  LOG_LEVEL: string;
  QUEUE_PREFIX: string;
  STORY_STALE_SECONDS: number;
  SPOOL_MAX_BYTES?: number;
  BODY_LIMIT_BYTES: number;
  WEBHOOK_SIGNATURE_TOLERANCE_SECONDS: number;
  RESPONSE_WAIT_MS: number;
  RESPONSE_CONCURRENCY: number;
  RESPONSE_CONCURRENCY_DEDICATED: number;
  ACCEPT_WAIT_MS: number;
  DATABASE_POOL_SIZE: number;
  WORKER_CONCURRENCY: number;
  TENANT_CPU_SHARE: number;
  ACTION_DEADLINE_SECONDS: number;
  WORKER_STALL_SECONDS: number;
  MAX_ATTEMPTS: number;
  MAX_DEPTH: number;
  RUN_EVENT_LIMIT: number;
  MAX_CALL_DEPTH: number;
  SHUTDOWN_SECONDS: number;
  DEAD_LETTER_RETENTION_DAYS: number;
  AUDIT_RETENTION_DAYS: number;
  PROMPT_EXPIRY_SECONDS: number;
  PROMPT_CONFIRM: boolean;
}

/** The environment is unusable; `message` names every variable that is wrong. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables (README, Configuration).
 * @throws ConfigError naming every wrong variable at once.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { error, value } = environment.validate(
    {
      ...present(env),
      DATABASE_URL: firstOf(env, DATABASE_VARIABLES),
      REDIS_URL: firstOf(env, REDIS_VARIABLES),
    },
    { abortEarly: false, stripUnknown: true, errors: { wrap: { label: false } } },
  );
  if (error) throw wrong(error.details.map(({ message }) => message));
  const config = toConfig(value as Environment);
  const faults = addressFaults(config, { mustEncrypt: firstOf(env, ['REDIS_TLS_URL']) !== undefined });
  if (faults.length > 0) throw wrong(faults);
  return config;
}

function wrong(faults: string[]): ConfigError {
  return new ConfigError(`Wrong configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

function toConfig(env: Environment): Config {
  return {
    ...limitSettings(env),
    ...mailSettings(env),
    ...addressSettings(env),
    ...strangerSettings(env),
    ...outboundSettings(env),
    ...adminSettings(env),
    port: env.PORT,
    host: env.HOST,
    dataDir: path.resolve(env.DATA_DIR),
    runAsUser: env.FABULA_USER,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    encryptionKey: env.ENCRYPTION_KEY,
    encryptionKeysPrevious: env.ENCRYPTION_KEY_PREVIOUS,
    requireCredentialHosts: env.REQUIRE_CREDENTIAL_HOSTS,
    credentialKeysAboveEditor: env.CREDENTIAL_KEYS_ABOVE_EDITOR,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    queuePrefix: env.QUEUE_PREFIX,
    storyStaleSeconds: env.STORY_STALE_SECONDS,
    spoolMaxBytes: env.SPOOL_MAX_BYTES,
    bodyLimitBytes: env.BODY_LIMIT_BYTES,
    webhookSignatureToleranceSeconds: env.WEBHOOK_SIGNATURE_TOLERANCE_SECONDS,
    responseWaitMs: env.RESPONSE_WAIT_MS,
    responseConcurrency: env.RESPONSE_CONCURRENCY,
    responseConcurrencyDedicated: env.RESPONSE_CONCURRENCY_DEDICATED,
    acceptWaitMs: env.ACCEPT_WAIT_MS,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    workerConcurrency: env.WORKER_CONCURRENCY,
    tenantCpuShare: env.TENANT_CPU_SHARE,
    actionDeadlineSeconds: env.ACTION_DEADLINE_SECONDS,
    workerStallSeconds: env.WORKER_STALL_SECONDS,
    maxAttempts: env.MAX_ATTEMPTS,
    maxDepth: env.MAX_DEPTH,
    runEventLimit: env.RUN_EVENT_LIMIT,
    maxCallDepth: env.MAX_CALL_DEPTH,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
    deadLetterRetentionDays: env.DEAD_LETTER_RETENTION_DAYS,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    promptExpirySeconds: env.PROMPT_EXPIRY_SECONDS,
    promptConfirm: env.PROMPT_CONFIRM,
  };
}

/** The configuration of this process. The only place that reads `process.env`. */
export function loadConfig(overrides: NodeJS.ProcessEnv = {}): Config {
  return readConfig({ ...process.env, ...overrides });
}

/** A copy of the environment, for child processes and for looking up what `Config` does not hold. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}

/** Which stores the environment gives an address for; the others are embedded by `npm start`. */
export function storesGiven(env: NodeJS.ProcessEnv): { database: boolean; redis: boolean } {
  return {
    database: firstOf(env, DATABASE_VARIABLES) !== undefined,
    redis: firstOf(env, REDIS_VARIABLES) !== undefined,
  };
}
