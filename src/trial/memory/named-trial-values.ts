import Joi from 'joi';
import { createSecretSigner } from '../../platform/secrets/secret-signer.js';
import { byNameAndSlug, createSecretVault, type Secret, type SecretVault } from '../../engine/face.js';
import type { JsonValue } from '../../platform/json.js';
import { LookupMap } from './lookup-map.js';
import type { StoryGraph } from '../../stories/face.js';
import { slugOf } from '../../platform/text/slug.js';
import type { TeamValues } from '../../language/face.js';
import { TRIAL_TEAM } from './plan-graphs.js';

/** The team's values in a trial, by name. */
export interface GivenValues {
  resources: Record<string, JsonValue>;
  credentials: Record<string, string>;
}

const givenValues = Joi.object<GivenValues>({
  resources: Joi.object().pattern(Joi.string(), Joi.any()).default({}),
  credentials: Joi.object().pattern(Joi.string(), Joi.string().allow('')).default({}),
}).required();

/** Returns the values in a parsed JSON document. @throws Error naming each fault. */
export function parseGivenValues(document: unknown): GivenValues {
  const { error, value } = givenValues.validate(document, { abortEarly: false });
  if (error === undefined) return value;
  throw new Error(`values: ${error.details.map(({ message }) => message).join('; ')}`);
}

/** Called with names that templates use and no value was given for. */
export interface OnMissing {
  credential(name: string): void;
  resource(name: string): void;
}

/** The team's values for templates, and its secrets for clients. */
export interface TrialValues {
  values: TeamValues;
  vault: SecretVault;
}

/**
 * Returns the values of the only team. A credential that is not given is the text `<credential name>`; a resource that is
 * not given is empty, as on the server.
 */
export function createNamedTrialValues(
  given: GivenValues,
  graphs: ReadonlyMap<number, StoryGraph>,
  onMissing: OnMissing,
): TrialValues {
  const signer = createSecretSigner(TRIAL_KEY);
  const reference = (credential: string) => signer.sign({ team: TRIAL_TEAM, credential });
  const resources = new LookupMap(named(given.resources), (name) => {
    onMissing.resource(name);
    return undefined;
  });
  const references = Object.keys(given.credentials).map((name) => [name, reference(name)] as const);
  const credentials = new LookupMap(named(Object.fromEntries(references)), (name) => {
    onMissing.credential(name);
    return reference(name);
  });
  const ids = [...graphs.values()].map(({ id, name }) => ({ name, slug: slugOf(name), value: id }));
  const stories: ReadonlyMap<string, JsonValue> = byNameAndSlug<JsonValue>(ids);
  const vault = createSecretVault({
    secrets: { find: (_teamId, name) => Promise.resolve(secretOf(name, given)) },
    signer: () => signer,
    hasKey: true,
    requireHosts: false,
  });
  return {
    values: {
      load: () => Promise.resolve({ resources, credentials, stories }),
      slugOf: () => Promise.resolve(undefined),
    },
    vault,
  };
}

/** Key for the references of trials, which never leave them; fixed, so that they are the same in each. */
export const TRIAL_KEY = Buffer.alloc(32, 'trial');

function secretOf(name: string, { credentials }: GivenValues): Secret {
  const value = Object.hasOwn(credentials, name) ? (credentials[name] ?? '') : `<credential ${name}>`;
  return { name, allowedHosts: [], open: () => value };
}

function named<Value>(values: Record<string, Value>): Map<string, Value> {
  return byNameAndSlug(Object.entries(values).map(([name, value]) => ({ name, slug: slugOf(name), value })));
}
