import { isIP } from 'node:net';
import Joi from 'joi';
import { AddressError } from '../addresses/address-options.js';
import { splitHosts } from '../addresses/split-hosts.js';

/*
 * Schemas that check and convert the texts of environment variables.
 */

/** A URL with one of these schemes. */
export const schemes = (...scheme: string[]) => Joi.string().uri({ scheme });
/** The same, where the place of the host may be a list of hosts: `scheme://user@a,b:3307/name`. */
export const schemesOfHosts = (...scheme: string[]) =>
  Joi.string().custom((text: string, helpers) => {
    const one = schemes(...scheme);
    try {
      const isRight = splitHosts(text).every((each) => one.validate(each).error === undefined);
      return isRight ? text : helpers.error('string.uriCustomScheme', { scheme: scheme.join('|') });
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      return helpers.message({ custom: '{{#label}} {{#fault}}' }, { fault: error.message });
    }
  });
/** A comma-separated list of items; `example` describes a valid item in the error message. */
export const commaList = (item: Joi.StringSchema, example: string) =>
  Joi.string()
    .allow('')
    .custom((text: string, helpers) => {
      const items = text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      const wrong = items.find((part) => item.validate(part).error !== undefined);
      return wrong === undefined
        ? items
        : helpers.message({ custom: '{{#label}} has "{{#wrong}}"; {{#example}}' }, { wrong, example });
    });

/** A comma-separated list of `name=number`, as an object: whole numbers in these bounds, each name at most once. */
export const namedNumbers = (names: readonly string[], { min, max }: { min: number; max: number }) => {
  const pair = Joi.string().custom((text: string, helpers) => {
    const [, name = '', number] = /^([^=\s]+)\s*=\s*(\d{1,9})$/.exec(text) ?? [];
    const isRight = names.includes(name) && Number(number) >= min && Number(number) <= max;
    return isRight ? text : helpers.error('any.invalid');
  });
  const expected = `expected NAME=NUMBER, with a number from ${min} to ${max} and one of ${names.join(', ')}`;
  return commaList(pair, expected).custom((pairs: string[], helpers) => {
    const entries = pairs.map((each) => each.split('=').map((side) => side.trim()) as [string, string]);
    const seen = new Set<string>();
    const twice = entries.find(([name]) => seen.size === seen.add(name).size);
    if (twice !== undefined)
      return helpers.message({ custom: '{{#label}} names "{{#name}}" twice' }, { name: twice[0] });
    return Object.fromEntries(entries.map(([name, number]) => [name, Number(number)]));
  });
};

/** An address, or a network such as `10.0.0.0/8`. */
export const cidr = Joi.string().custom((text: string, helpers) => {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  const width = bits === undefined ? 0 : Number(bits);
  const valid = family !== 0 && Number.isInteger(width) && width >= 0 && width <= (family === 4 ? 32 : 128);
  return valid ? text : helpers.error('any.invalid');
});

const HOST_PATTERN = /^(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u;

/** A name, `*.` and a name for all names below it, or an address. */
export const hostPatternSchema = Joi.string().custom((text: string, helpers) =>
  isIP(text) !== 0 || HOST_PATTERN.test(text) ? text : helpers.error('any.invalid'),
);

/** A network, an address or a host pattern; a text that looks like a network must be one. */
export const networkOrHost = Joi.string().custom((text: string, helpers) => {
  const schema = /^[\d.]+$|[/:]/.test(text) ? cidr : hostPatternSchema;
  return schema.validate(text).error === undefined ? text : helpers.error('any.invalid');
});

/** A port, or a range: two ports with a dash between. */
export const portRange = Joi.string().custom((text: string, helpers) => {
  const [, low, high = low] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const valid =
    low !== undefined && 1 <= Number(low) && Number(low) <= Number(high) && Number(high) <= 65_535;
  return valid ? text : helpers.error('any.invalid');
});

/** 32 bytes. Messages do not repeat the given text: it is a secret, mistyped or not. */
export const encryptionKey = Joi.string()
  .pattern(/^[0-9a-fA-F]{64}$/)
  .custom((text: string) => Buffer.from(text, 'hex'))
  .messages({ 'string.pattern.base': '{{#label}} must be 64 hexadecimal digits' });
/** Several encryption keys, comma-separated. */
export const encryptionKeys = Joi.string()
  .pattern(/^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*$/)
  .custom((text: string) => text.split(',').map((key) => Buffer.from(key, 'hex')))
  .messages({
    'string.pattern.base': '{{#label}} must be keys of 64 hexadecimal digits, comma-separated',
  });
