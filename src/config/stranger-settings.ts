import Joi from 'joi';

/** How much strangers may ask for at once (docs/decisions/0031). */
export interface StrangerSettings {
  /** Open connections of a listener, and those of one address; undefined: what the limit of open files allows. */
  maxConnections: number | undefined;
  maxConnectionsPerAddress: number | undefined;
}

export interface StrangerEnvironment {
  MAX_CONNECTIONS?: number;
  MAX_CONNECTIONS_PER_ADDRESS?: number;
}

const MOST = 1_000_000;

/** The variables, as the environment is checked. */
export const strangerVariables: Record<keyof StrangerEnvironment, Joi.Schema> = {
  MAX_CONNECTIONS: Joi.number().integer().min(10).max(MOST),
  MAX_CONNECTIONS_PER_ADDRESS: Joi.number().integer().min(1).max(MOST),
};

/** The settings that the checked environment asks for. */
export function strangerSettings(env: StrangerEnvironment): StrangerSettings {
  return {
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
  };
}
