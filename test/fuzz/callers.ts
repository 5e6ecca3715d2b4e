import { isJsonObject, type JsonObject } from '../../src/platform/json.js';

/** The caller whose key a request carries. */
export interface Caller {
  name: string;
  /** undefined: none. */
  key: string | undefined;
}

export interface Callers {
  /** With a key of each role. */
  all: Caller[];
  owner: Caller;
  /** Without a key that is valid. */
  strangers: Caller[];
  /** The team in which everything is made. */
  teamId: number;
}

/** Makes a team and a key of each role in it, with the key of an Owner. */
export async function makeCallers(url: string, ownerKey: string): Promise<Callers> {
  const post = async (path: string, body: object): Promise<JsonObject> => {
    const headers = { 'content-type': 'application/json', 'x-user-token': ownerKey };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const parsed: unknown = await response.json();
    if (!response.ok || !isJsonObject(parsed))
      throw new Error(`${path}: ${response.status} ${JSON.stringify(parsed)}`);
    return parsed;
  };
  const name = `fuzz ${Date.now()}`;
  const teamId = Number((await post('/api/v1/teams', { name }))['id']);
  const keyOf = async (body: object) => textIn(await post('/api/v1/api_keys', { name, ...body }), 'key');
  const roles = ['VIEWER', 'EDITOR', 'TEAM_ADMIN'];
  const ofTeam = roles.map(async (role) => ({
    name: `${role} key`,
    key: await keyOf({ kind: 'team', role, team_id: teamId }),
  }));
  const owner = { name: 'Owner', key: ownerKey };
  const tenant = { name: 'tenant key', key: await keyOf({ kind: 'tenant' }) };
  const strangers = [
    { name: 'unknown key', key: 'fab_unknown' },
    { name: 'no key', key: undefined },
  ];
  return { all: [owner, tenant, ...(await Promise.all(ofTeam))], owner, strangers, teamId };
}

function textIn(response: JsonObject, name: string): string {
  const text = response[name];
  if (typeof text !== 'string') throw new Error(`The answer has no ${name}`);
  return text;
}
