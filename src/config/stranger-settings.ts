import Joi from 'joi';

/** How much strangers may ask for at once (decision 0031). */
export interface StrangerSettings {
  /** Calls a minute of one address that are refused for a wrong key, secret or address; 0 = no limit. */
  refusedCallsPerMinute: number;
  /** Open connections of a listener, and those of one address; undefined: what the limit of open files allows. */
  maxConnections: number | undefined;
  maxConnectionsPerAddress: number | undefined;
}

export interface StrangerEnvironment {
  REFUSED_CALLS_PER_MINUTE: number;
  MAX_CONNECTIONS?: number;
  MAX_CONNECTIONS_PER_ADDRESS?: number;
}

const MOST = 1_000_000;

/** The variables, as the environment is checked. */
export const strangerVariables: Record<keyof StrangerEnvironment, Joi.Schema> = {
  REFUSED_CALLS_PER_MINUTE: Joi.number().integer().min(0).default(300),
  MAX_CONNECTIONS: Joi.number().integer().min(10).max(MOST),
  MAX_CONNECTIONS_PER_ADDRESS: Joi.number().integer().min(1).max(MOST),
};

/** The settings that the checked environment asks for. */
export function strangerSettings(env: StrangerEnvironment): StrangerSettings {
  return {
    refusedCallsPerMinute: env.REFUSED_CALLS_PER_MINUTE,
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
  };
}
