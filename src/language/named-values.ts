import type { JsonValue } from '../platform/json.js';
import { slugOf } from '../platform/text/slug.js';
import type { StoryOfTeam, TemplateScope } from './template.js';
import { TemplateError } from './template-error.js';

/** A story or credential that is not there fails the render; a resource is empty, as a missing path is. */
export type NamedKind = 'CREDENTIAL' | 'RESOURCE' | 'STORY';

const LABELS: Record<NamedKind, string> = { CREDENTIAL: 'credential', RESOURCE: 'resource', STORY: 'story' };

/**
 * A credential, resource or story of the team by the name a template uses: as it is, without quotes round
 * it, or by its slug.
 * @throws TemplateError naming a credential or story that does not exist.
 */
export function findNamed(scope: TemplateScope, kind: NamedKind, written: string): JsonValue | undefined {
  const value = lookUp(scope, kind, written);
  if (value === undefined && kind !== 'RESOURCE') throw missing(kind, written);
  return value;
}

/** The id of a story of the team; undefined where `findNamed` fails. */
export function findStory(scope: TemplateScope, written: string): JsonValue | undefined {
  return lookUp(scope, 'STORY', written);
}

/**
 * `STORY.team.story`: older exports put the team before its story. Only stories of the one team can be meant, so what
 * stands first is not looked at; but when it is a story itself, nothing stands behind it: it is a number.
 * @throws TemplateError naming both where there is no such story.
 */
export function findStoryOfTeam(scope: TemplateScope, { team, story }: StoryOfTeam): JsonValue | undefined {
  if (findStory(scope, team) !== undefined) return undefined;
  const value = findStory(scope, story);
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
  return new TemplateError(`There is no ${LABELS[kind]} "${written.trim().slice(0, 200)}" in this team`);
}

function valuesOf(scope: TemplateScope, kind: NamedKind): ReadonlyMap<string, JsonValue> {
  if (kind === 'CREDENTIAL') return scope.credentials;
  return kind === 'RESOURCE' ? scope.resources : scope.stories;
}
