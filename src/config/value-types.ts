import path from 'node:path';
import Joi from 'joi';
import {
  cidr,
  commaList,
  encryptionKey,
  encryptionKeys,
  hostPatternSchema,
  namedNumbers,
  networkOrHost,
  portRange,
  schemes,
  schemesOfHosts,
} from '../platform/validation/variable-schemas.js';
import type { VariableType } from './variable.js';

interface Bounds {
  min?: number;
  max?: number;
  /** The meaning of 0 if 0 is not an amount: `no limit`. */
  zero?: string;
}

/** A whole number; both bounds are included. */
export function integerVariable({ min = 0, max, zero }: Bounds = {}): VariableType<number> {
  const atLeast = Joi.number().integer().min(min);
  const schema = max === undefined ? atLeast : atLeast.max(max);
  const from = min === 0 ? 'a whole number' : `a whole number, at least ${min}`;
  const range = max === undefined ? from : `a whole number from ${min} to ${max}`;
  return { schema, form: zero === undefined ? range : `${range}; 0 = ${zero}` };
}

/** A number; both bounds are included. */
export function decimal(min: number, max: number): VariableType<number> {
  return { schema: Joi.number().min(min).max(max), form: `a number from ${min} to ${max}` };
}

/** A whole number of seconds, given to the code in milliseconds. */
export function secondsAsMs(bounds: Bounds): VariableType<number> {
  return { ...integerVariable(bounds), toValue: (seconds) => Number(seconds) * 1000 };
}

export const flagVariable: VariableType<boolean> = { schema: Joi.boolean(), form: '`true` or `false`' };

/** Any text; `form` says what it should be. */
export function textVariable(form: string, schema: Joi.StringSchema = Joi.string()): VariableType<string> {
  return { schema, form };
}

export function oneOfVariable<Text extends string>(...texts: Text[]): VariableType<Text> {
  return { schema: Joi.string().valid(...texts), form: texts.map((each) => `\`${each}\``).join(', ') };
}

/** An address with one of these schemes, such as `http`. */
export function url(...allowed: string[]): VariableType<string> {
  const form = `an address that begins with ${allowed.map((each) => `\`${each}://\``).join(' or ')}`;
  return { schema: schemes(...allowed), form };
}

/** The same, with one host or a list of them. */
export function urlOfHosts(...allowed: string[]): VariableType<string> {
  return { ...url(...allowed), schema: schemesOfHosts(...allowed) };
}

/** The address of one Redis, of a cluster or of sentinels. */
export const redisUrl: VariableType<string> = {
  schema: Joi.string().when(Joi.string().pattern(/^rediss?\+(?:cluster|sentinel):/i), {
    otherwise: schemes('redis', 'rediss'),
  }),
  form: 'an address that begins with `redis://`, `redis+cluster://` or `redis+sentinel://`; `rediss…` for TLS',
};

/** The address of a web server; its value has no slash at the end. */
export const webUrl: VariableType<string> = {
  ...url('http', 'https'),
  toValue: (address) => String(address).replace(/\/+$/, ''),
};

/** A folder; its value is absolute. */
export const folder: VariableType<string> = {
  schema: Joi.string(),
  form: 'a folder',
  toValue: (name) => path.resolve(String(name)),
};

/** A port that a server listens on. */
export const port: VariableType<number> = {
  ...integerVariable({ min: 0, max: 65_535 }),
  form: 'a port; 0 = any free one',
};

export const key: VariableType<Buffer> = { schema: encryptionKey, form: '64 hexadecimal digits' };
export const keys: VariableType<Buffer[]> = {
  schema: encryptionKeys,
  form: 'keys of 64 hexadecimal digits, comma-separated',
};

/** A list with commas between; `expected` ends the message about a wrong item. */
export function list(item: Joi.StringSchema, expected: string): VariableType<string[]> {
  return { schema: commaList(item, `expected ${expected}`), form: `${expected}, comma-separated` };
}

/** Numbers by name, such as `trigger=2,email=4`: whole numbers in these bounds, each name at most once. */
export function numbersOf<Name extends string>(
  names: readonly Name[],
  bounds: { min: number; max: number },
): VariableType<Readonly<Partial<Record<Name, number>>>> {
  const form = `comma-separated NAME=NUMBER; numbers from ${bounds.min} to ${bounds.max}; names: ${names.join(', ')}`;
  return { schema: namedNumbers(names, bounds), form };
}

export const networks = list(cidr, 'addresses or CIDRs such as 10.0.0.0/8');
export const networksOrHosts = list(networkOrHost, 'addresses, CIDRs or hosts such as *.example.com');
export const hosts = list(hostPatternSchema, 'hosts such as api.example.com or *.example.com');

/** Ranges of ports, each from and to, both included; undefined for an empty list. */
export const portRanges: VariableType<[number, number][] | undefined> = {
  ...list(portRange, 'ports or ranges such as 443,8000-8999'),
  toValue: (texts) => rangesOf(texts as string[]),
};

function rangesOf(texts: string[]): [number, number][] | undefined {
  if (texts.length === 0) return undefined;
  return texts.map((each) => {
    const [low = '', high = low] = each.split('-');
    return [Number(low), Number(high)];
  });
}
