import { FILTERS } from '../filters/all-filters.js';
import { findFunction } from '../formula/functions/all-functions.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { queryEscaped } from '../values/query-escaped.js';
import { textOf } from '../values/values.js';
import { type SecretPolicy, secretPolicy } from './secret-policy.js';

/** Most characters of one function's arguments. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const DEFERRED: ReadonlySet<SecretPolicy> = new Set(['deferred', 'whole', 'pieces', 'keyed']);
const NO_NAMED: ReadonlyMap<string, unknown> = new Map();
const nothing = (): void => undefined;
const LIMITS = { step: nothing, checkTime: nothing, charge: nothing, isDecimal: false };
const NO_RUN = (): never => {
  throw new TemplateError('there is no story run');
};
const HOST = { storyRunGuid: NO_RUN, promptLink: NO_RUN };

/**
 * Returns the result of a deferred function for values without references, as the template language would return it.
 * @throws TemplateError for values that it does not support.
 */
export function computeDeferred(name: string, values: unknown[]): string {
  const size = values.reduce<number>((sum, value) => sum + textOf(value).length, 0);
  if (size > MAX_CHARACTERS) throw new TemplateError(`${name}: more than ${MAX_CHARACTERS} characters`);
  if (name === 'query_escape') return queryEscaped(textOf(values[0]));
  const policy = secretPolicy(name);
  if (policy === undefined || !DEFERRED.has(policy)) throw new TemplateError(`${name} cannot be deferred`);
  return textOf(run(name, values));
}

/** A signature with a private key takes as long as many other functions. */
const SIGNATURE_COST = 20;

/** Returns how much of a request's functions this one counts for. */
export function deferredCost(name: string, values: readonly unknown[]): number {
  const lower = name.toLowerCase();
  const isShared = lower === 'jwt_sign' && textOf(values[2]).startsWith('HS');
  return lower === 'rsa_sign' || (lower === 'jwt_sign' && !isShared) ? SIGNATURE_COST : 1;
}

/** Filter names are in lower case, function names in upper case. */
function run(name: string, values: unknown[]): unknown {
  const [value, ...args] = values;
  if (Object.hasOwn(FILTERS, name)) return FILTERS[name]?.(value, { args, named: NO_NAMED, ...LIMITS });
  return findFunction(name)?.run?.(values, { ...LIMITS, host: HOST });
}
