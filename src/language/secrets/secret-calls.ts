import {
  holdsReference,
  readContent,
  replaceReferences,
  splitAtReferences,
  withMarkers,
} from '../../platform/secrets/secret-reference.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { textOf } from '../values/values.js';
import { keyPlace, secretPolicy } from './secret-policy.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

/** Handles secrets in a render: present in a scope that may contain references to them (decision 0026). */
export interface SecretCalls {
  /** Returns a reference to the function's later result; undefined if it would be too large. */
  defer(name: string, values: unknown[]): string | undefined;
  /** Called when a function received a marker instead of this credential, or skipped its secret. */
  onMarker(name: string, credential: string): void;
  /** Whether a function received one: what it made may hold parts of the marker, which everybody knows. */
  hasMarked(): boolean;
  /** Returns the value behind a reference, for a check that gives true or false. @throws TemplateError */
  keyOf(reference: string): string;
}

/** A function or filter with its arguments, before it runs. */
export interface SecretCall {
  name: string;
  values: unknown[];
  secrets: SecretCalls;
  run: (values: unknown[]) => unknown;
}

/** Runs a function or filter; the only place where these meet references. The result contains no secret. */
export function callWithSecrets(call: SecretCall): unknown {
  const { name, values, run } = call;
  const policy = secretPolicy(name);
  if (policy === 'verified') return verified(call);
  if (policy === 'carried' || !values.some(holdsAny)) return run(values);
  switch (policy) {
    case 'elements':
      return run(values.map((value) => (typeof value === 'string' ? marked(value, call) : value)));
    case 'deferred':
      return deferred(withPlainAlgorithm(call));
    case 'whole':
      return values.every(isWhole) ? deferred(call) : run(values.map((value) => marked(value, call)));
    case 'pieces':
      return inPieces(call);
    case 'keyed':
      return withKey(call);
    case 'refused':
      throw new TemplateError('a credential cannot be used here; use a text of the story or a resource');
    case 'replacement':
      return replacing(call);
    case 'query':
      return run(values.map((value) => mapTexts(value, (text) => deferredIn(text, 'query_escape', call))));
    default:
      return run(values.map((value) => marked(value, call)));
  }
}

function deferred(call: SecretCall): unknown {
  const { name, values, secrets, run } = call;
  return secrets.defer(name, values) ?? run(values.map((value) => marked(value, call)));
}

/** The algorithm of a token must be known: deferring it would reveal whether a secret is one of the three names. */
function withPlainAlgorithm(call: SecretCall): SecretCall {
  if (call.name.toLowerCase() !== 'jwt_sign') return call;
  const [claims, key, ...rest] = call.values;
  return { ...call, values: [claims, key, ...rest.map((value) => marked(value, call))] };
}

/** Returns true for a single reference to a credential, possibly decoded before, but never joined with other text. */
function isWhole(value: unknown): boolean {
  const [reference, ...others] = splitAtReferences(textOf(value));
  if (reference === undefined || typeof reference === 'string' || others.length > 0) return false;
  const { call } = readContent(reference.body) ?? {};
  if (call === undefined) return true;
  const policy = secretPolicy(call.name);
  return policy === 'keyed' || (policy === 'whole' && call.values.every(isWhole));
}

/**
 * Text joined with a secret would reveal its length, or parts of it, by whether the function fails. So would a text to
 * decrypt that was made of one: by its padding. The name of the algorithm is never one: its position is between text and
 * key, or behind them.
 */
function withKey(call: SecretCall): unknown {
  const { name, values, secrets } = call;
  const keyAt = name.toLowerCase() === 'openssl_decrypt' ? 2 : 1;
  const places = /decrypt$/i.test(name) ? [keyAt] : [0, keyAt];
  const fits = values.every((value, at) => !holdsAny(value) || (places.includes(at) && isWhole(value)));
  const result = fits ? secrets.defer(name, values) : undefined;
  if (result !== undefined) return result;
  throw new TemplateError(
    'a credential can be its key, or a text to sign or encrypt, only without other text beside it',
  );
}

/**
 * For a render whose credentials are markers: a key may be made of one, and everybody could sign with it.
 * @throws TemplateError for a function that checks signatures.
 */
export function refuseMarkedKeys(name: string): void {
  if (keyPlace(name) !== undefined) throw new TemplateError('the values of credentials are not known here');
}

/** A key without a reference may be any text, but none that was made of a marker. */
function verified({ name, values, secrets, run }: SecretCall): unknown {
  const place = keyPlace(name);
  if (values.some((value, at) => at !== place && holdsAny(value))) {
    throw new TemplateError('a credential can be its key only');
  }
  if (secrets.hasMarked()) {
    throw new TemplateError('another function here cannot read a credential, so no key can be trusted');
  }
  return run(
    values.map((value, at) => (at === place && holdsAny(value) ? secrets.keyOf(textOf(value)) : value)),
  );
}

/** Applies the function now to the text between references, and to each reference by itself when it is sent. */
function inPieces(call: SecretCall): unknown {
  const { name, values, secrets, run } = call;
  const [subject, ...rest] = values;
  const others = rest.map((value) => marked(value, call));
  return splitAtReferences(textOf(subject))
    .map((part) =>
      typeof part === 'string'
        ? textOf(run([part, ...others]))
        : (secrets.defer(name, [part.text]) ?? withMarkers(part.text)),
    )
    .join('');
}

/** References in the replacement are kept. The searched text has none, and is not searched for inside a secret. */
function replacing(call: SecretCall): unknown {
  const { name, values, run } = call;
  const [subject, search, ...rest] = values;
  const sought = marked(search, call);
  if (!holdsAny(subject)) return run([subject, sought, ...rest]);
  if (name.toLowerCase() !== 'replace' || sought === '') return run([marked(subject, call), sought, ...rest]);
  marked(subject, call);
  return splitAtReferences(textOf(subject))
    .map((part) => (typeof part === 'string' ? textOf(run([part, sought, ...rest])) : part.text))
    .join('');
}

function deferredIn(text: string, name: string, call: SecretCall): string {
  return replaceReferences(
    text,
    (found) => call.secrets.defer(name, [found.text]) ?? withMarkers(found.text),
  );
}

/** Returns the value with markers in place of references. */
function marked(value: unknown, { name, secrets }: SecretCall): unknown {
  if (!holdsAny(value)) return value;
  return mapTexts(value, (text) => {
    replaceReferences(text, ({ body }) => {
      const content = readContent(body);
      if (content !== undefined) secrets.onMarker(name, content.credential);
      return undefined;
    });
    return withMarkers(text);
  });
}

/** Values known to contain no reference: they do not change during a render, and most are parts of events. */
const clean = new WeakSet<object>();

/** Returns true if the texts or keys of a value contain a reference. Each list and object is searched once. */
function holdsAny(value: unknown): boolean {
  if (typeof value === 'string') return holdsReference(value);
  if (!isPlain(value) || clean.has(value)) return false;
  const pending: object[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!Array.isArray(next) && Object.keys(next).some(holdsReference)) return true;
    for (const item of Object.values(next) as unknown[]) {
      if (typeof item === 'string' && holdsReference(item)) return true;
      if (isPlain(item) && !clean.has(item)) pending.push(item);
    }
  }
  clean.add(value);
  return false;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Applies `map` to each text and key of a value. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value) as [string, unknown][];
  return orderedObject(entries.map(([key, item]) => [map(key), mapTexts(item, map)]));
}
