import type { TeamSecrets } from '../../engine/face.js';
import type { TeamValues } from '../../language/face.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { Session } from '../../platform/mysql/session.js';
import { credentialOf } from '../../platform/secrets/secret-reference.js';
import { findRecordTypes, findTypesNamed, type RecordType } from '../../data/face.js';
import { RECORD_TYPE } from '../../stories/face.js';
import type { TrialTeam } from '../story/story-trial.js';

/** An action as graphs and exports have it. */
export interface TrialAction {
  type: string;
  options: JsonObject;
}

/** The stories whose templates see the values. */
interface Reading {
  teamId: number;
  isTest: boolean;
  /** JSON of the stories. */
  texts: string[];
  /** Returns what the actor may see of a resource; undefined: all of it. */
  shown: ((resource: JsonValue) => JsonValue) | undefined;
}

/** Returns the values of a team: resources and credentials, as far as these texts may name them, and stories. */
export async function loadTrialTeam(
  { values, secrets }: { values: TeamValues; secrets: TeamSecrets },
  { teamId, isTest, texts, shown }: Reading,
): Promise<TrialTeam> {
  const loaded = await values.load(teamId, {
    stories: true,
    resources: texts.some((text) => /resource/i.test(text)),
    credentials: texts.some((text) => /credential/i.test(text)),
    isTest,
  });
  const credentials = [...loaded.credentials].map(([name, reference]): [string, string] => [
    name,
    credentialOf(reference) ?? name,
  ]);
  const hosts: [string, readonly string[]][] = [];
  for (const name of new Set(credentials.map(([, credential]) => credential)))
    hosts.push([name, (await secrets.find(teamId, name))?.allowedHosts ?? []]);
  return {
    id: teamId,
    slug: await values.slugOf(teamId),
    isTest,
    resources: stringifyJson(
      Object.fromEntries([...loaded.resources].map(([name, value]) => [name, shown?.(value) ?? value])),
    ),
    credentials: Object.fromEntries(credentials),
    allowedHosts: Object.fromEntries(hosts),
    stories: Object.fromEntries(loaded.stories) as Record<string, number>,
  };
}

/** Actions of one team. */
export interface WritingActions {
  teamId: number;
  actions: TrialAction[];
}

/** Returns the record types that these actions write, each of its own team. */
export async function loadWrittenTypes(session: Session, writing: WritingActions[]): Promise<RecordType[]> {
  const named = writing.flatMap(({ teamId, actions }) =>
    recordTypeNames(actions).map((name) => ({ teamId, name })),
  );
  const found = await findTypesNamed(named, session);
  return findRecordTypes(
    found.map(({ id }) => id),
    session,
  );
}

function recordTypeNames(actions: TrialAction[]): string[] {
  const names = actions.flatMap(({ type, options: { record_type: written } }): JsonValue[] =>
    type === RECORD_TYPE && isJsonObject(written) ? [written.name ?? null] : [],
  );
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/** Returns the actions of an export, as far as they are some: a thread checks it. */
export function writtenActions(agents: readonly JsonValue[]): TrialAction[] {
  return agents
    .filter(isJsonObject)
    .flatMap(({ type, options, ...rest }) =>
      typeof type === 'string' && isJsonObject(options) ? [{ type, options: { ...rest, ...options } }] : [],
    );
}
