import { buildAccount } from '../support/builders.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

async function withDraft() {
  const account = await buildAccount(stores.db);
  const ask = async (request: string, body?: object): Promise<Parsed> => {
    const response = await api.call(account.key, request, body);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const data = smallExport({ diagram_notes: [{ content: 'Live', position: [0, 0] }] });
  const body = { new_name: 'S', team_id: account.team.id, data };
  const { id } = await ask('POST /api/v1/stories/import', body);
  const drafts = await ask(`POST /api/v1/stories/${id}/drafts`, { name: 'Try' });
  const list = async (query: string): Promise<Parsed[]> => (await ask(`GET /api/v1/actions?${query}`)).agents;
  return { key: account.key, ask, id, draftId: drafts.id as number, list };
}

const namesOf = (agents: Parsed[]) => agents.map(({ name }) => name);

it('draft_id means the draft: in lists, and for one action by the id of the live one or of its copy', async () => {
  const { ask, id, draftId, list } = await withDraft();
  const live = await list(`story_id=${id}`);
  const copies = await list(`story_id=${id}&draft_id=${draftId}`);
  expect(namesOf(copies)).toEqual(namesOf(live));
  expect(copies.map(({ story_id }) => story_id)).toEqual(live.map(() => draftId));
  expect(await list(`draft_id=${draftId}`)).toEqual(copies);
  expect(copies[1].story_mode).toBe('TEST');
  expect(await list('')).toEqual(live);
  expect(await list('story_mode=TEST')).toEqual(copies);
  const [, action] = live;
  const [, copy] = copies;
  for (const one of [action.id, copy.id]) {
    expect((await ask(`GET /api/v1/actions/${one}?draft_id=${draftId}`)).id).toBe(copy.id);
  }
  const changed = await ask(`PUT /api/v1/actions/${action.id}`, {
    name: 'In the draft',
    draft_id: draftId,
    story_id: id,
    source_ids: [],
  });
  expect(changed).toMatchObject({ id: copy.id, name: 'In the draft', sources: [] });
  expect(await list(`story_id=${id}`)).toEqual(live);
  await ask(`DELETE /api/v1/actions/${action.id}?draft_id=${draftId}`);
  expect(await list(`draft_id=${draftId}`)).toHaveLength(2);
  expect(await list(`story_id=${id}`)).toEqual(live);
});

it('A22 clients: an action of a draft says so, and of which live one it is a copy', async () => {
  const { ask, id, draftId, list } = await withDraft();
  const live = await list(`story_id=${id}`);
  expect(live.filter((one) => 'draft_id' in one || 'live_id' in one)).toEqual([]);
  const copies = await list(`draft_id=${draftId}`);
  expect(copies.map((one) => [one.draft_id, one.live_id])).toEqual(live.map((one) => [draftId, one.id]));
  const [, { id: liveId }] = live;
  const changed = await ask(`PUT /api/v1/actions/${liveId}`, { name: 'In the draft', draft_id: draftId });
  expect(changed).toMatchObject({ id: copies[1].id, draft_id: draftId, live_id: liveId });
  const sentBack = await ask(`PUT /api/v1/actions/${changed.id}`, changed);
  expect(sentBack).toMatchObject({ id: changed.id, name: 'In the draft', live_id: liveId });
  const step = { type: 'Agents::TriggerAgent', name: 'New', options: { rules: [] } };
  const made = await ask('POST /api/v1/actions', { ...step, story_id: id, draft_id: draftId });
  expect(made).toMatchObject({ draft_id: draftId, live_id: null });
  const data = smallExport();
  const imported = { new_name: 'S', mode: 'versionReplace', draft_name: 'Imported', data };
  const { draft_id: other } = await ask('POST /api/v1/stories/import', imported);
  const again = await list(`draft_id=${other}`);
  expect(again.map((one) => one.live_id)).toEqual(live.map((one) => one.id));
});

it('an action, a note and a graph go to the draft', async () => {
  const { ask, id, draftId, list } = await withDraft();
  const step = { type: 'Agents::TriggerAgent', name: 'New', options: { rules: [] } };
  const made = await ask('POST /api/v1/actions', { ...step, story_id: id, draft_id: draftId });
  expect(made).toMatchObject({ story_id: draftId, story_mode: 'TEST' });
  const note = await ask('POST /api/v1/notes', { content: 'Draft', story_id: id, draft_id: draftId });
  expect(note).toMatchObject({ story_id: draftId, story_mode: 'TEST', draft_id: draftId, draft_name: 'Try' });
  const notes = async (query: string): Promise<string[]> =>
    (await ask(`GET /api/v1/notes?${query}`)).annotations.map(({ content }: Parsed) => content);
  expect(await notes('')).toEqual(['Live']);
  expect(await notes(`story_id=${id}&draft_id=${draftId}`)).toEqual(['Live', 'Draft']);
  expect(await notes('mode=TEST')).toEqual(['Live', 'Draft']);
  const path = `/api/v1/stories/${id}/graph?draft_id=${draftId}`;
  const graph = await ask(`GET ${path}`);
  expect(graph.story_id).toBe(draftId);
  await ask(`PUT ${path}`, { ...graph, agents: graph.agents.slice(1), links: [] });
  expect(namesOf(await list(`draft_id=${draftId}`))).toEqual(['EventTransformation 2', 'Trigger 3', 'New']);
  expect(await list(`story_id=${id}`)).toHaveLength(3);
});

it('a draft of another story is not found', async () => {
  const one = await withDraft();
  const two = await withDraft();
  const [action] = await one.list(`story_id=${one.id}`);
  for (const request of [
    `GET /api/v1/actions?story_id=${one.id}&draft_id=${two.draftId}`,
    `GET /api/v1/actions/${action.id}?draft_id=${two.draftId}`,
    `DELETE /api/v1/actions/${action.id}?draft_id=${two.draftId}`,
    `GET /api/v1/notes?draft_id=${two.draftId}`,
    `GET /api/v1/stories/${one.id}/graph?draft_id=${two.draftId}`,
  ]) {
    expect([request, (await api.call(one.key, request)).status]).toEqual([request, 404]);
  }
});
