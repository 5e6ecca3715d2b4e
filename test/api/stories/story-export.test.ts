import { useStores } from '../../support/stores.js';
import { makeTeam, smallExport } from '../../support/stories.js';
import { useStoryApi } from '../../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);
const STORIES = '/api/v1/stories';

/** A member of a team with one story. */
async function teamWithStory(new_name: string) {
  const actor = await makeTeam(stores.db);
  await api.stories.import(actor, { new_name, data: smallExport({ agents: [], links: [] }) });
  return actor;
}

describe('the export of a story', () => {
  it('is for everybody who sees the team, viewers too', async () => {
    const actor = await teamWithStory('Mine');
    const viewer = { ...actor, roles: new Map([[actor.teamId, 'VIEWER' as const]]) };
    const [story] = (await api.call(viewer, STORIES)).body as { id: number }[];
    const { status, body } = await api.call(viewer, `${STORIES}/${story!.id}/export`);
    expect([status, body]).toMatchObject([200, { name: 'Mine', agents: [], links: [], schema_version: 3 }]);
  });

  it('is not found by others', async () => {
    const actor = await teamWithStory('Mine');
    const [story] = (await api.call(actor, STORIES)).body as { id: number }[];
    const colleague = await makeTeam(stores.db, { tenantId: actor.tenantId });
    const stranger = await makeTeam(stores.db, { owner: true });
    for (const other of [colleague, stranger]) {
      const { status, body } = await api.call(other, `${STORIES}/${story!.id}/export`);
      expect([status, body]).toEqual([404, { errors: [{ message: 'Story not found' }] }]);
    }
    expect((await api.call(actor, `${STORIES}/999999999/export`)).status).toBe(404);
    expect((await api.call(actor, `${STORIES}/x/export`)).status).toBe(404);
  });
});
