import type { JsonValue } from '../platform/json.js';
import { slugOf } from '../platform/text/slug.js';
import type { StoryOfTeam, TemplateScope } from './template.js';
import { TemplateError } from '../platform/text/template-error.js';

/** A missing story or credential fails the render; a missing resource is empty, as a missing path is. */
export type NamedKind = 'CREDENTIAL' | 'RESOURCE' | 'STORY';

const LABELS: Record<NamedKind, string> = { CREDENTIAL: 'credential', RESOURCE: 'resource', STORY: 'story' };

/**
 * Returns a credential, resource or story of the team by the name in a template: unchanged, without the quotes around
 * it, or by its slug.
 * @throws TemplateError naming a credential or story that does not exist.
 */
export function findNamed(scope: TemplateScope, kind: NamedKind, written: string): JsonValue | undefined {
  const value = lookUp(scope, kind, written);
  if (value === undefined && kind !== 'RESOURCE') throw missing(kind, written);
  return value;
}

/** Returns the id of a story of the team; undefined if it does not exist. */
export function findStoryId(scope: TemplateScope, written: string): JsonValue | undefined {
  return lookUp(scope, 'STORY', written);
}

/**
 * Resolves `STORY.team.story`: older exports put the team before its story. Only stories of the own team are possible, so
 * the first name is ignored. If it is itself a story, the result is undefined: the id of a story has no keys.
 * @throws TemplateError naming both if there is no such story.
 */
export function findStoryOfTeam(scope: TemplateScope, { team, story }: StoryOfTeam): JsonValue | undefined {
  if (findStoryId(scope, team) !== undefined) return undefined;
  const value = findStoryId(scope, story);
  if (value === undefined) throw missing('STORY', `${team.trim()}.${story.trim()}`);
  return value;
}

function lookUp(scope: TemplateScope, kind: NamedKind, written: string): JsonValue | undefined {
  const name = written.trim();
  const values = valuesOf(scope, kind);
  for (const form of [name, name.replace(/^(["'])(.*)\1$/s, '$2'), slugOf(name)]) {
    const value = values.get(form);
    if (value !== undefined) return value;
  }
  return undefined;
}

function missing(kind: NamedKind, written: string): TemplateError {
  return new TemplateError(`This team has no ${LABELS[kind]} "${written.trim().slice(0, 200)}"`);
}

function valuesOf(scope: TemplateScope, kind: NamedKind): ReadonlyMap<string, JsonValue> {
  if (kind === 'CREDENTIAL') return scope.credentials;
  return kind === 'RESOURCE' ? scope.resources : scope.stories;
}
