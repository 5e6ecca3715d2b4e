import type { JsonObject } from '../../../src/platform/json.js';
import type { TestFabula } from '../fabula.js';
import { send } from './send.js';

/** Ids of what the pages of the group 'Set up' show. */
export interface PeopleWorld {
  resourceId: number;
  credentialId: number;
  personId: number;
  teamId: number;
}

const PEOPLE: [string, string, 'VIEWER' | 'EDITOR' | 'TEAM_ADMIN'][] = [
  ['Grace', 'Hopper', 'TEAM_ADMIN'],
  ['Katherine', 'Johnson', 'EDITOR'],
  ['Annie', 'Easley', 'VIEWER'],
];

/** Makes people, teams, keys, resources and credentials by the API, as a team has them. */
export async function buildPeopleWorld(fabula: TestFabula): Promise<PeopleWorld> {
  const teamId = fabula.account.team.id;
  const make = async (path: string, body: JsonObject) =>
    (await send(fabula, `POST /api/v1/${path}`, body)).id;
  const people: number[] = [];
  for (const [first, last, role] of PEOPLE) {
    const email = `${first.toLowerCase()}@example.com`;
    const id = await make('users', { email, first_name: first, last_name: last });
    await make(`teams/${teamId}/members`, { user_id: id, role });
    people.push(id);
  }
  await make('teams', { name: 'Platform' });
  await make('api_keys', { kind: 'personal', name: 'Laptop' });
  await make('api_keys', { kind: 'team', name: 'Ticket bridge', team_id: teamId, role: 'EDITOR' });
  const resourceId = await make('global_resources', {
    name: 'Blocked domains',
    description: 'Domains that mail is never delivered from.',
    team_id: teamId,
    value: { domains: ['evil.example', 'bad.example'], checked: '2026-11-20', limits: { daily: 500 } },
  });
  await make('global_resources', { name: 'Greeting', team_id: teamId, value: 'Dear colleagues,' });
  const credentialId = await make('user_credentials', {
    name: 'Jira',
    description: 'Reads and opens tickets.',
    mode: 'OAUTH',
    team_id: teamId,
    oauth_grant_type: 'client_credentials',
    oauth_token_url: 'https://auth.example.com/oauth/token',
    oauth_client_id: 'fabula',
    oauth_client_secret: 's3cret',
    oauth_scope: 'read:work write:work',
    allowed_hosts: ['*.example.com', 'auth.example.com'],
  });
  await make('user_credentials', { name: 'Sandbox token', mode: 'TEXT', team_id: teamId, value: 's3cret' });
  return { resourceId, credentialId, personId: people[0] ?? 0, teamId };
}
