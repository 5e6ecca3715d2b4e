import { Drop } from 'liquidjs';
import type { JsonValue } from '../../json.js';
import { slugOf } from '../../stories/story-graph.js';
import { TemplateError, type TemplateScope } from '../template.js';
import { WHOLE_EVENT } from './markup.js';

/** A story or credential that is not there fails the render; a resource is empty, as a missing path is. */
export type NamedKind = 'CREDENTIAL' | 'RESOURCE' | 'STORY';

const LABELS: Record<NamedKind, string> = { CREDENTIAL: 'credential', RESOURCE: 'resource', STORY: 'story' };

/**
 * A credential, resource or story of the team by the name a template uses: as it is, without quotes round
 * it, or by its slug.
 * @throws TemplateError naming a credential or story that does not exist.
 */
export function findNamed(scope: TemplateScope, kind: NamedKind, written: string): JsonValue | undefined {
  const name = written.trim();
  const values = valuesOf(scope, kind);
  for (const form of [name, name.replace(/^(["'])(.*)\1$/s, '$2'), slugOf(name)]) {
    const value = values.get(form);
    if (value !== undefined) return value;
  }
  if (kind === 'RESOURCE') return undefined;
  throw new TemplateError(`There is no ${LABELS[kind]} "${name.slice(0, 200)}" in this team`);
}

function valuesOf(scope: TemplateScope, kind: NamedKind): ReadonlyMap<string, JsonValue> {
  if (kind === 'CREDENTIAL') return scope.credentials;
  return kind === 'RESOURCE' ? scope.resources : scope.stories;
}

/** `RESOURCE`, `CREDENTIAL`, `STORY` in a reference: looks a name up when it is used, and shows nothing itself. */
class NamedRoot extends Drop {
  readonly #find: (name: string) => JsonValue | undefined;

  constructor(find: (name: string) => JsonValue | undefined) {
    super();
    this.#find = find;
  }

  override liquidMethodMissing(key: unknown): JsonValue | undefined {
    // `RESOURCE.__proto__.x` arrives here without what the constructor sets.
    if (!(#find in this) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
    return this.#find(String(key));
  }

  toJSON(): JsonValue {
    return {};
  }
}

// Own properties count only, but of a Drop liquidjs reads inherited ones too: this one would run.
Object.defineProperty(NamedRoot.prototype, 'constructor', { value: undefined });

/** The variables a template starts with. A new object for each render: `increment` writes into it. */
export function environmentOf(scope: TemplateScope): Record<string, unknown> {
  const environment = Object.create(null) as Record<string, unknown>;
  Object.assign(environment, scope.event, { META: scope.meta, [WHOLE_EVENT]: scope.event });
  for (const kind of ['CREDENTIAL', 'RESOURCE', 'STORY'] as const) {
    environment[kind] = new NamedRoot((name) => findNamed(scope, kind, name));
  }
  return environment;
}
