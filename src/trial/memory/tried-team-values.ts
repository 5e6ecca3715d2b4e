import { createSecretSigner } from '../../platform/secrets/secret-signer.js';
import type { TeamValues, TeamValuesSnapshot } from '../../language/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { slugOf } from '../../platform/text/slug.js';
import { markerOf } from '../../platform/secrets/secret-reference.js';
import type { TrialTeam } from '../story/story-trial.js';
import { byNameAndSlug, createSecretVault, type Secret } from '../../engine/face.js';
import { LookupMap } from './lookup-map.js';
import type { TrialValues, OnMissing } from './named-trial-values.js';

/** The teams of a trial, which grow while it calls stories of others. */
export type TrialTeams = TrialTeam[];

/**
 * Returns the values of the teams of a trial. `key` signs references to credentials. Each credential is its own marker:
 * the process that sends a request knows its value.
 */
export function createTriedTeamValues(
  teams: Readonly<TrialTeams>,
  key: Uint8Array,
  onMissing: OnMissing,
): TrialValues {
  const signer = createSecretSigner(Buffer.from(key));
  const sign = (team: number, credential: string) => signer.sign({ team, credential });
  const snapshots = new Map<TrialTeam, TeamValuesSnapshot>();
  const load: TeamValues['load'] = (teamId, { isTest = false }) => {
    const team = findTeam(teams, teamId, isTest);
    if (team === undefined) return Promise.resolve(NOTHING);
    const known = snapshots.get(team) ?? snapshotOf(team, sign, onMissing);
    snapshots.set(team, known);
    return Promise.resolve(known);
  };
  const vault = createSecretVault({
    secrets: { find: (teamId, name) => Promise.resolve(secretOf(teams, teamId, name)) },
    signer: () => signer,
    hasKey: true,
    requireHosts: false,
  });
  const slugs = (teamId: number) => Promise.resolve(teams.find(({ id }) => id === teamId)?.slug);
  return { values: { load, slugOf: slugs }, vault };
}

const NOTHING: TeamValuesSnapshot = { resources: new Map(), credentials: new Map(), stories: new Map() };

/** The latest one counts: it was loaded for more. */
function findTeam(teams: Readonly<TrialTeams>, teamId: number, isTest: boolean): TrialTeam | undefined {
  return teams.findLast((team) => team.id === teamId && team.isTest === isTest);
}

function snapshotOf(
  team: TrialTeam,
  sign: (team: number, credential: string) => string,
  onMissing: OnMissing,
): TeamValuesSnapshot {
  const resources = Object.entries(parseJson(team.resources) as JsonObject);
  const references = Object.entries(team.credentials).map(([name, credential]): [string, string] => [
    name,
    sign(team.id, credential),
  ]);
  return {
    resources: new LookupMap(named(resources), (name) => {
      onMissing.resource(name);
      return undefined;
    }),
    credentials: new LookupMap(named(references), (name) => {
      onMissing.credential(name);
      return undefined;
    }),
    stories: named<JsonValue>(Object.entries(team.stories)),
  };
}

function named<Value>(entries: [name: string, value: Value][]): Map<string, Value> {
  return byNameAndSlug(entries.map(([name, value]) => ({ name, slug: slugOf(name), value })));
}

function secretOf(teams: Readonly<TrialTeams>, teamId: number, name: string): Secret | undefined {
  const team = teams.find(({ id, allowedHosts }) => id === teamId && Object.hasOwn(allowedHosts, name));
  if (team === undefined) return undefined;
  return { name, allowedHosts: team.allowedHosts[name] ?? [], open: () => markerOf(name) };
}
