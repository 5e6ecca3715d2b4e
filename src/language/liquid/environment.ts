import { Drop } from 'liquidjs';
import type { JsonValue } from '../../platform/json.js';
import { findNamed, findStoryId, findStoryOfTeam } from '../named-values.js';
import type { TemplateScope } from '../template.js';
import { WHOLE_EVENT } from './markup.js';

/** `RESOURCE`, `CREDENTIAL`, `STORY` in a reference: looks up a name when it is used, and has no text itself. */
class NamedRoot extends Drop {
  readonly #find: (name: string) => unknown;

  constructor(find: (name: string) => unknown) {
    super();
    this.#find = find;
  }

  override liquidMethodMissing(key: unknown): unknown {
    // `RESOURCE.__proto__.x` calls this on an object that the constructor did not initialise.
    if (!(#find in this) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
    return this.#find(String(key));
  }

  toJSON(): JsonValue {
    return {};
  }
}

/** An unknown name after `STORY`: possibly the team of a story that follows. Used alone it is a fault. */
class PerhapsTeam extends NamedRoot {
  readonly #alone: () => unknown;

  constructor(team: string, scope: TemplateScope) {
    super((story) => findStoryOfTeam(scope, { team, story }));
    this.#alone = () => findNamed(scope, 'STORY', team);
  }

  override valueOf(): unknown {
    return this.#alone();
  }

  override toJSON(): JsonValue {
    this.#alone();
    return {};
  }
}

// Only own properties may be read, but liquidjs also reads inherited ones of a Drop: hides the constructor.
for (const { prototype } of [NamedRoot, PerhapsTeam]) {
  Object.defineProperty(prototype, 'constructor', { value: undefined });
}

/** Returns the initial variables of a template. A new object for each render, because `increment` writes to it. */
export function environmentOf(scope: TemplateScope): Record<string, unknown> {
  const environment = Object.create(null) as Record<string, unknown>;
  Object.assign(environment, scope.event, { META: scope.meta, [WHOLE_EVENT]: scope.event });
  for (const kind of ['CREDENTIAL', 'RESOURCE'] as const) {
    environment[kind] = new NamedRoot((name) => findNamed(scope, kind, name));
  }
  environment.STORY = new NamedRoot((name) => findStoryId(scope, name) ?? new PerhapsTeam(name, scope));
  return environment;
}
