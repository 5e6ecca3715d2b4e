import Joi from 'joi';
import { hostnameOf } from '../platform/text/host-name.js';

/** Who may see the queue board, and where it is (decision 0028). */
export interface AdminSettings {
  adminUser: string | undefined;
  adminPassword: string | undefined;
  /** Where the board listens; 0 = any free one; undefined: it is served on the public port, for the name of `adminOrigin`. */
  adminPort: number | undefined;
  adminHost: string;
  /** How browsers reach the board, without a slash at its end: `https://admin.example.com`. */
  adminOrigin: string | undefined;
  /** Whether the board may change queues and jobs; else it only shows them. */
  adminBoardWrite: boolean;
}

export interface AdminEnvironment {
  ADMIN_USER?: string;
  ADMIN_PASSWORD?: string;
  ADMIN_PORT?: number;
  ADMIN_HOST: string;
  ADMIN_ORIGIN?: string;
  ADMIN_BOARD_WRITE: boolean;
}

/** What these settings are checked against. */
interface Surroundings {
  PORT: number;
  PUBLIC_URL?: string;
}

const DEFAULT_PORT = 3001;

/** Scheme, host and port of a web address, and nothing behind them. */
const webOrigin: Joi.CustomValidator = (text: string, helpers) =>
  /^https?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text)
    ? new URL(text).origin
    : helpers.message({ custom: '{{#label}} must be an origin such as https://admin.example.com' });

/** The variables, as the environment is checked. */
export const adminVariables: Record<keyof AdminEnvironment, Joi.Schema> = {
  ADMIN_USER: Joi.string(),
  ADMIN_PASSWORD: Joi.string().min(8),
  ADMIN_PORT: Joi.number().integer().min(0).max(65535),
  ADMIN_HOST: Joi.string().default('127.0.0.1'),
  ADMIN_ORIGIN: Joi.string().custom(webOrigin),
  ADMIN_BOARD_WRITE: Joi.boolean().default(false),
};

/** Refuses settings by which the board would share an origin with what tenants serve. */
export const apartFromTenants: Joi.CustomValidator = (env: AdminEnvironment & Surroundings, helpers) => {
  if (env.ADMIN_PORT !== undefined && env.ADMIN_PORT !== 0 && env.ADMIN_PORT === env.PORT) {
    return helpers.message({ custom: 'ADMIN_PORT must differ from PORT: webhooks are served there' });
  }
  if (sameName(env.ADMIN_ORIGIN, env.PUBLIC_URL)) {
    return helpers.message({ custom: 'ADMIN_ORIGIN must have another host name than PUBLIC_URL' });
  }
  return env;
};

/** Ports make no difference: cookies know none. */
function sameName(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !URL.canParse(one) || !URL.canParse(other)) return false;
  return hostnameOf(new URL(one).host) === hostnameOf(new URL(other).host);
}

/** The settings that the checked environment asks for. */
export function adminSettings(env: AdminEnvironment & Surroundings): AdminSettings {
  return {
    adminUser: env.ADMIN_USER,
    adminPassword: env.ADMIN_PASSWORD,
    adminPort: env.ADMIN_PORT ?? (env.ADMIN_ORIGIN === undefined ? defaultPort(env.PORT) : undefined),
    adminHost: env.ADMIN_HOST,
    adminOrigin: env.ADMIN_ORIGIN,
    adminBoardWrite: env.ADMIN_BOARD_WRITE,
  };
}

/** Whoever lets the system choose one port wants no fixed one beside it. */
function defaultPort(port: number): number {
  if (port === 0) return 0;
  return port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
}
