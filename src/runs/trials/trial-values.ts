import type { TeamSecrets } from '../../engine/secrets/team-secrets.js';
import { usesTestValues } from '../../engine/secrets/uses-test-values.js';
import type { TeamValues } from '../../language/team-values.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { Session } from '../../platform/mysql/session.js';
import { markerOf, withMarkers } from '../../platform/text/secret-reference.js';
import type { RecordType } from '../../records/types/record-type.js';
import { findRecordTypes, findTypesNamed } from '../../records/types/record-type-store.js';
import type { StoryGraph } from '../../stories/graph/story-graph.js';
import { RECORD_TYPE } from '../../stories/record-settings.js';
import type { StoryTrialWork } from './story-trial.js';

/** An action as graphs and exports have it. */
export interface WrittenAction {
  type: string;
  options: JsonObject;
}

/** Returns the resources that these texts may name, and markers of the credentials. */
export async function loadTrialValues(
  { values, secrets }: { values: TeamValues; secrets: TeamSecrets },
  { teamId, graph, texts }: { teamId: number; graph: StoryGraph | undefined; texts: string[] },
): Promise<Pick<StoryTrialWork, 'resources' | 'credentials' | 'allowedHosts'>> {
  const loaded = await values.load(teamId, {
    stories: false,
    resources: texts.some((text) => /resource/i.test(text)),
    credentials: texts.some((text) => /credential/i.test(text)),
    isTest: graph !== undefined && usesTestValues(graph),
  });
  const markers = [...loaded.credentials].map(([name, reference]) => [name, withMarkers(reference)] as const);
  return {
    resources: stringifyJson(Object.fromEntries(loaded.resources)),
    credentials: Object.fromEntries(markers),
    allowedHosts: await hostsOf(markers, (name) => secrets.find(teamId, name)),
  };
}

/** A credential has its slug as second name; its marker says which is the first. */
async function hostsOf(
  markers: (readonly [name: string, marker: string])[],
  find: (name: string) => ReturnType<TeamSecrets['find']>,
): Promise<StoryTrialWork['allowedHosts']> {
  const byMarker = new Map<string, readonly string[]>();
  for (const [name, marker] of markers) {
    if (markerOf(name) === marker) byMarker.set(marker, (await find(name))?.allowedHosts ?? []);
  }
  return Object.fromEntries(markers.map(([name, marker]) => [name, byMarker.get(marker) ?? []]));
}

/** Returns the record types of the team that these actions write. */
export async function loadWrittenTypes(
  session: Session,
  teamId: number,
  actions: WrittenAction[],
): Promise<RecordType[]> {
  const found = await findTypesNamed(
    recordTypeNames(actions).map((name) => ({ teamId, name })),
    session,
  );
  return findRecordTypes(
    found.map(({ id }) => id),
    session,
  );
}

function recordTypeNames(actions: WrittenAction[]): string[] {
  const names = actions.flatMap(({ type, options: { record_type: written } }): JsonValue[] =>
    type === RECORD_TYPE && isJsonObject(written) ? [written.name ?? null] : [],
  );
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/** Returns the actions of an export, as far as they are some: a thread checks it. */
export function writtenActions(agents: readonly JsonValue[]): WrittenAction[] {
  return agents
    .filter(isJsonObject)
    .flatMap(({ type, options, ...rest }) =>
      typeof type === 'string' && isJsonObject(options) ? [{ type, options: { ...rest, ...options } }] : [],
    );
}
