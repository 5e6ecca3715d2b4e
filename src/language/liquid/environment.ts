import { Drop } from 'liquidjs';
import type { JsonValue } from '../../platform/json.js';
import { findNamed, findStory, findStoryOfTeam } from '../named-values.js';
import type { TemplateScope } from '../template.js';
import { WHOLE_EVENT } from './markup.js';

/** `RESOURCE`, `CREDENTIAL`, `STORY` in a reference: looks a name up when it is used, and shows nothing itself. */
class NamedRoot extends Drop {
  readonly #find: (name: string) => unknown;

  constructor(find: (name: string) => unknown) {
    super();
    this.#find = find;
  }

  override liquidMethodMissing(key: unknown): unknown {
    // `RESOURCE.__proto__.x` arrives here without what the constructor sets.
    if (!(#find in this) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
    return this.#find(String(key));
  }

  toJSON(): JsonValue {
    return {};
  }
}

/** What stands after `STORY` and is no story: perhaps the team of one that is named next. Alone it is a fault. */
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

// Own properties count only, but of a Drop liquidjs reads inherited ones too: this one would run.
for (const { prototype } of [NamedRoot, PerhapsTeam]) {
  Object.defineProperty(prototype, 'constructor', { value: undefined });
}

/** The variables a template starts with. A new object for each render: `increment` writes into it. */
export function environmentOf(scope: TemplateScope): Record<string, unknown> {
  const environment = Object.create(null) as Record<string, unknown>;
  Object.assign(environment, scope.event, { META: scope.meta, [WHOLE_EVENT]: scope.event });
  for (const kind of ['CREDENTIAL', 'RESOURCE'] as const) {
    environment[kind] = new NamedRoot((name) => findNamed(scope, kind, name));
  }
  environment.STORY = new NamedRoot((name) => findStory(scope, name) ?? new PerhapsTeam(name, scope));
  return environment;
}
