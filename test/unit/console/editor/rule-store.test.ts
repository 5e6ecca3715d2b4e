import * as fakeIndexedDb from 'fake-indexeddb';
import { keepRules, keptRules, MOST_KEPT } from '../../../../src/console/pages/editor/trial/rule-store.js';

globalThis.structuredClone ??= <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
Object.assign(globalThis, {
  indexedDB: fakeIndexedDb.indexedDB,
  IDBKeyRange: fakeIndexedDb.IDBKeyRange,
  ...Object.fromEntries(Object.entries(fakeIndexedDb).filter(([name]) => name.startsWith('IDB'))),
});

const RULE = { key: 'a', method: 'GET', url: 'https://a.test/*', status: 200, body: '{}' };

describe('the rules of a person for a story', () => {
  it('are kept until they are removed, for that person and that story alone', async () => {
    const own = { owner: '1', storyId: 7 };
    expect(await keepRules(own, [RULE])).toBe(true);
    expect(await keptRules(own)).toEqual([RULE]);
    expect(await keptRules({ ...own, owner: '2' })).toEqual([]);
    expect(await keptRules({ ...own, storyId: 8 })).toEqual([]);
    expect(await keepRules(own, [])).toBe(true);
    expect(await keptRules(own)).toEqual([]);
  });

  it('are not kept if they are too long, nor are those before', async () => {
    const place = { owner: '1', storyId: 9 };
    await keepRules(place, [RULE]);
    expect(await keepRules(place, [{ ...RULE, body: 'x'.repeat(MOST_KEPT) }])).toBe(false);
    expect(await keptRules(place)).toEqual([]);
  });
});
