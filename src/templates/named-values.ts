import type { JsonValue } from '../json.js';
import { slugOf } from '../stories/story-graph.js';
import { TemplateError, type TemplateScope } from './template.js';

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
