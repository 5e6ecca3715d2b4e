import type { JsonValue } from '../../src/platform/json.js';
import { createResourceService } from '../../src/data/resources/resource-service.js';
import { createResourceValuesStore } from '../../src/data/resources/resource-values-store.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const service = () => createResourceService({ store: createResourceValuesStore(stores.db) });

describe('resources of a team', () => {
  it.each<[JsonValue]>([['text'], [''], ['5'], ['[1]'], [[1, 'a', null]], [{ z: 1, a: [{}] }]])(
    'keep %j as it is',
    async (value) => {
      expect(await service().set(1, 'My List', value)).toEqual({ name: 'My List', slug: 'my_list', value });
      const [resource] = await service().listValues(1);
      expect(JSON.stringify(resource?.value)).toBe(JSON.stringify(value));
    },
  );

  it('are replaced under the same name, and belong to one team', async () => {
    await service().set(1, 'A', 'old');
    await service().set(1, 'A', 'new');
    await service().set(1, 'a', 'other');
    await service().set(2, 'A', 'theirs');
    expect(await service().listValues(1)).toEqual([
      { name: 'A', slug: 'a', value: 'new' },
      { name: 'a', slug: 'a', value: 'other' },
    ]);
  });

  it.each<[string, JsonValue, string]>([
    ['', 'v', 'name'],
    ['a', 5, 'value'],
    ['a', null, 'value'],
    ['a', true, 'value'],
  ])('refuse the name %j with the value %j', async (name, value, place) => {
    await expect(service().set(1, name, value)).rejects.toMatchObject({ problems: [{ details: place }] });
  });

  it('refuse a value that is too large', async () => {
    await expect(service().set(1, 'a', 'é'.repeat(2_100_000))).rejects.toMatchObject({ status: 413 });
  });
});
