import { buildAccount } from '../../support/builders.js';
import { useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';
import { smallExport } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const SECRET = 'hunter2-and-a-half';

interface Entry {
  action: string;
  changes: { field: string; before: unknown; after: unknown; hidden: boolean }[] | null;
}

async function world() {
  const account = await buildAccount(stores.db, { owner: true });
  const call = async (request: string, body?: unknown) => {
    const { status, body: answer } = await api.call(account.key, request, body);
    expect([request, status < 300]).toEqual([request, true]);
    return answer;
  };
  const data = smallExport();
  const story = await call('POST /api/v1/stories/import', {
    new_name: 'Triage',
    data,
    team_id: account.team.id,
  });
  /** The changes of the newest entry of an action. */
  const changesOf = async (action: string) => {
    const { audit_logs: entries } = await call(`GET /api/v1/audit_logs?action=${action}`);
    return (entries as Entry[])[0]?.changes;
  };
  return { account, call, story, changesOf };
}

const shown = (field: string, before: unknown, after: unknown) => ({ field, before, after, hidden: false });
const hidden = (field: string) => ({ field, before: null, after: null, hidden: true });

describe('an entry of the audit log about a change', () => {
  it('has the fields of a story that differ, with both values', async () => {
    const { account, call, story, changesOf } = await world();
    const path = `/api/v1/stories/${story.id}`;
    await call(`PUT ${path}`, {
      name: 'Sorting',
      priority: true,
      tags: ['soc', 'it'],
      owner: { type: 'TEAM', id: account.team.id },
    });
    expect(await changesOf('story.update')).toEqual([
      shown('name', 'Triage', 'Sorting'),
      shown('priority', false, true),
      shown('owner', null, account.team.name),
      shown('tags', expect.any(String), 'soc, it'),
    ]);
    await call(`PUT ${path}`, { name: 'Sorting' });
    expect(await changesOf('story.update')).toEqual([]);
    await call(`POST ${path}/disable`, {});
    expect(await changesOf('story.disable')).toEqual([shown('disabled', false, true)]);
  });

  it('tells that a text or a secret was changed, and keeps neither', async () => {
    const { account, call, story, changesOf } = await world();
    await call(`PUT /api/v1/stories/${story.id}`, {
      runbook: `Log in with ${SECRET}`,
      description: SECRET,
      recipients: [`https://chat.example/hooks/${SECRET}`],
    });
    expect(await changesOf('story.update')).toEqual([
      hidden('description'),
      hidden('recipients'),
      hidden('runbook'),
    ]);
    const made = await call('POST /api/v1/user_credentials', {
      name: 'Key of the shop',
      mode: 'TEXT',
      value: 'first',
      allowed_hosts: ['a.example'],
      team_id: account.team.id,
    });
    await call(`PUT /api/v1/user_credentials/${made.id}`, {
      value: SECRET,
      allowed_hosts: ['b.example'],
    });
    const changes = await changesOf('credential.update');
    expect(changes).toContainEqual(hidden('value'));
    expect(changes).toContainEqual(
      shown('allowed_hosts', expect.stringContaining('a.example'), expect.stringContaining('b.example')),
    );
    const resource = await call('POST /api/v1/global_resources', {
      name: 'List',
      value: 'first',
      team_id: account.team.id,
    });
    await call(`PUT /api/v1/global_resources/${resource.id}`, { value: SECRET });
    expect(await changesOf('resource.update')).toEqual([hidden('value')]);
    const { agents } = await call(`GET /api/v1/stories/${story.id}/agents`);
    const options = { ...agents[1].options, note: SECRET };
    await call(`PUT /api/v1/agents/${agents[1].id}`, { options, name: 'Renamed' });
    expect(await changesOf('agent.update')).toEqual([
      shown('name', agents[1].name, 'Renamed'),
      hidden('options'),
    ]);
    const rows = await stores.db.read((session) => session.rows<object>('SELECT * FROM audit_logs'));
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('of a credential has no secret that stayed: a new name encrypts it anew', async () => {
    const { account, call, changesOf } = await world();
    const { id } = await call('POST /api/v1/user_credentials', {
      name: 'Shop',
      mode: 'OAUTH',
      oauth_grant_type: 'client_credentials',
      oauth_token_url: 'https://a.example/token',
      oauth_client_id: 'fabula',
      oauth_client_secret: 'first',
      team_id: account.team.id,
    });
    const path = `PUT /api/v1/user_credentials/${id}`;
    await call(path, { name: 'Store' });
    expect(await changesOf('credential.update')).toEqual([shown('name', 'Shop', 'Store')]);
    await call(path, { oauth_scope: 'read' });
    expect(await changesOf('credential.update')).toEqual([hidden('settings')]);
    const test = { oauth_token_url: 'https://a.example/token', oauth_client_id: 'test', is_test: true };
    await call(path, { ...test, oauth_grant_type: 'client_credentials', oauth_client_secret: SECRET });
    expect(await changesOf('credential.update')).toEqual([
      shown('test_enabled', false, true),
      hidden('test_value'),
    ]);
  });

  it('has the new role of a member, and the name of what is deleted', async () => {
    const { account, call, changesOf } = await world();
    const other = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    await call(`PUT /api/v1/teams/${account.team.id}/members/${other.user.id}`, { role: 'EDITOR' });
    expect(await changesOf('member.update')).toEqual([shown('role', 'VIEWER', 'EDITOR')]);
    const { id } = await call('POST /api/v1/tags', { name: 'old', team_id: account.team.id });
    await call(`DELETE /api/v1/tags/${id}`);
    expect(await changesOf('tag.delete')).toContainEqual(shown('name', 'old', null));
    expect(await changesOf('tag.create')).toBeNull();
  });

  it('of a draft tells nothing of its live story, and a draft takes no owner', async () => {
    const { account, call, story, changesOf } = await world();
    const draft = await call(`POST /api/v1/stories/${story.id}/drafts`, { name: 'Next' });
    const path = `PUT /api/v1/stories/${story.id}`;
    await call(path, { draft_id: draft.id, name: 'Of the draft' });
    expect(await changesOf('story.update')).toBeNull();
    const owner = { type: 'TEAM', id: account.team.id };
    const { status } = await api.call(account.key, path, { draft_id: draft.id, owner });
    expect(status).toBe(422);
  });

  it('of an action in a draft is about its copy there', async () => {
    const { call, story, changesOf } = await world();
    const draft = await call(`POST /api/v1/stories/${story.id}/drafts`, { name: 'Next' });
    const {
      agents: [live],
    } = await call(`GET /api/v1/stories/${story.id}/agents`);
    const copy = await call(`GET /api/v1/agents/${live.id}?draft_id=${draft.id}`);
    await call(`PUT /api/v1/agents/${live.id}`, { draft_id: draft.id, name: 'Of the draft' });
    expect(await changesOf('agent.update')).toEqual([shown('name', live.name, 'Of the draft')]);
    await call(`DELETE /api/v1/agents/${live.id}?draft_id=${draft.id}`);
    expect(await changesOf('agent.delete')).toContainEqual(shown('name', 'Of the draft', null));
    const { audit_logs: entries } = await call(`GET /api/v1/audit_logs?target_id=${copy.id}`);
    const ofCopy = (entries as Entry[]).map(({ action }) => action);
    expect(ofCopy).toEqual(['agent.delete', 'agent.update']);
  });

  it('shows where long values differ', async () => {
    const { call, story, changesOf } = await world();
    const tags = Array.from({ length: 40 }, (_, at) => `tag-number-${at}`);
    await call(`PUT /api/v1/stories/${story.id}`, { tags: [...tags, 'old'] });
    await call(`PUT /api/v1/stories/${story.id}`, { tags: [...tags, 'new'] });
    expect(await changesOf('story.update')).toEqual([
      shown(
        'tags',
        expect.stringMatching(/^….*tag-number-39, old$/),
        expect.stringMatching(/^….*tag-number-39, new$/),
      ),
    ]);
  });

  it('has the state of a thing of its own tenant alone', async () => {
    const { account, story } = await world();
    const { call, changesOf } = await world();
    const { body, status } = await api.call(account.key, `PUT /api/v1/stories/${story.id}`, { name: 'Mine' });
    expect([status, body.name]).toEqual([200, 'Mine']);
    await call('GET /api/v1/audit_logs');
    expect(await changesOf('story.update')).toBeUndefined();
  });
});
