import Joi from 'joi';
import { createSecretSigner } from '../../../credentials/secret-signer.js';
import { createSecretVault, type SecretVault } from '../../secrets/secret-vault.js';
import type { Secret } from '../../secrets/team-secrets.js';
import { byNameAndSlug } from '../../secrets/team-values-loader.js';
import type { JsonValue } from '../../../platform/json.js';
import type { StoryGraph } from '../../../stories/graph/story-graph.js';
import { slugOf } from '../../../platform/text/slug.js';
import type { TeamValues } from '../../../language/team-values.js';
import { DRY_RUN_TEAM } from '../plan-graphs.js';

/** The team's values in a dry run, by name. */
export interface GivenValues {
  resources: Record<string, JsonValue>;
  credentials: Record<string, string>;
  /** The hosts that a credential may be sent to, by name; any unless given. */
  allowedHosts?: Record<string, readonly string[]>;
  /** Ids of the team's stories by name; if missing, those of the dry run. */
  stories?: Record<string, number>;
  /** A credential that is not given does not exist; otherwise its name stands in for it. */
  isWhole?: boolean;
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
export interface DryRunValues {
  values: TeamValues;
  vault: SecretVault;
}

/**
 * Returns the team's values. A credential that is not given is the text `<credential name>`, unless the values are whole; a
 * resource that is not given is empty, as on the server.
 */
export function createDryRunValues(
  given: GivenValues,
  graphs: ReadonlyMap<number, StoryGraph>,
  onMissing: OnMissing,
): DryRunValues {
  const signer = createSecretSigner(DRY_RUN_KEY);
  const reference = (credential: string) => signer.sign({ team: DRY_RUN_TEAM, credential });
  const resources = new AskedMap(named(given.resources), (name) => {
    onMissing.resource(name);
    return undefined;
  });
  const references = Object.keys(given.credentials).map((name) => [name, reference(name)] as const);
  const credentials = new AskedMap(named(Object.fromEntries(references)), (name) => {
    onMissing.credential(name);
    return given.isWhole === true ? undefined : reference(name);
  });
  const own = [...graphs.values()].map(({ id, name }): [string, number] => [name, id]);
  const storyIds = given.stories === undefined ? own : Object.entries(given.stories);
  const ids = storyIds.map(([name, value]) => ({ name, slug: slugOf(name), value }));
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

/** Key for the references of dry runs, which never leave them; fixed, so that they are the same in each. */
const DRY_RUN_KEY = Buffer.alloc(32, 'trial');

function secretOf(name: string, { credentials, allowedHosts = {} }: GivenValues): Secret {
  const value = Object.hasOwn(credentials, name) ? (credentials[name] ?? '') : `<credential ${name}>`;
  const hosts = Object.hasOwn(allowedHosts, name) ? (allowedHosts[name] ?? []) : [];
  return { name, allowedHosts: hosts, open: () => value };
}

function named<Value>(values: Record<string, Value>): Map<string, Value> {
  return byNameAndSlug(Object.entries(values).map(([name, value]) => ({ name, slug: slugOf(name), value })));
}

/** Looks a name up in every form that templates may use (see language/named-values.ts); calls `inVain` for others. */
class AskedMap<Value> extends Map<string, Value> {
  readonly #inVain: (name: string) => Value | undefined;

  constructor(values: ReadonlyMap<string, Value>, inVain: (name: string) => Value | undefined) {
    super(values);
    this.#inVain = inVain;
  }

  override get(name: string): Value | undefined {
    const plain = name.replace(/^(["'])(.*)\1$/s, '$2');
    for (const form of [name, plain, slugOf(name)]) if (this.has(form)) return super.get(form);
    return this.#inVain(plain);
  }
}
