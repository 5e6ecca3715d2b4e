import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = '/api/v1/audit_logs';

async function withWrites() {
  const { key, team } = await buildAccount(stores.db, { owner: true });
  const story = (await api.call(key, 'POST /api/v1/stories', { team_id: team.id, name: 'S' })).body;
  await api.call(key, 'POST /api/v1/folders', { team_id: team.id, name: 'F' });
  await api.call(key, `PUT /api/v1/stories/${story.id}`, { locked: true });
  const found = async (query: string) => {
    const { audit_logs: entries } = (await api.call(key, `GET ${PATH}?${query}`)).body;
    return (entries as { action: string; operation_name: string }[]).map((entry) => [
      entry.action,
      entry.operation_name,
    ]);
  };
  return { key, found };
}

describe('A5 clients: the audit log, asked in the words of the platform', () => {
  it('finds the entries that mean the same, under the name that was asked for', async () => {
    const { found } = await withWrites();
    const story = ['story.create', 'StoryCreation'];
    const folder = ['folder.create', 'FolderCreation'];
    expect(await found('operation_name=StoryCreation')).toEqual([story]);
    expect(await found('operation_name[]=StoryCreation&operation_name[]=FolderCreation')).toEqual([
      folder,
      story,
    ]);
    expect(await found('operation_name=story.create')).toEqual([['story.create', 'story.create']]);
    expect(await found('operation_name=story.create&operation_name=FolderCreation')).toEqual([
      folder,
      ['story.create', 'story.create'],
    ]);
  });

  it('finds all that may be a part of an action, and nothing of what is not here', async () => {
    const { found } = await withWrites();
    expect(await found('operation_name=StoryLockedChange')).toEqual([['story.update', 'story.update']]);
    expect(await found('operation_name=FormUpdate')).toEqual([]);
    expect(await found('operation_name=FormUpdate&operation_name=StoryLockedChange')).toHaveLength(1);
  });

  it.each(['Nope', 'storycreation', 'StoryCreated', 'story', 'constructor'])(
    'refuses %s by name',
    async (name) => {
      const { key } = await withWrites();
      const response = await api.call(
        key,
        `GET ${PATH}?operation_name[]=StoryCreation&operation_name[]=${name}`,
      );
      expect([response.status, places(response)]).toEqual([422, ['operation_name[1]']]);
      expect(response.body.errors[0].message).toContain(
        `"operation_name[1]" is not a known operation: ${name}.`,
      );
    },
  );
});
