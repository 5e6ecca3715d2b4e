import * as fakeIndexedDb from 'fake-indexeddb';
import { createKeeper } from '../../../../src/console/pages/editor/save/keeper.js';
import {
  forgetChanges,
  keepChanges,
  keptChanges,
} from '../../../../src/console/pages/editor/save/journal.js';
import { changesBetween } from '../../../../src/console/story-model/draft-changes.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { move } from '../../../../src/console/story-model/commands/selection-commands.js';
import { LongNumber } from '../../../../src/console/text/exact-json.js';
import { after, DRAFT, GRAPH } from '../story-model/drafts.js';

const aside = (x: number) => move({ actions: new Map([['guid-2', { x, y: 0 }]]) });
const changes = changesBetween(DRAFT, after(DRAFT, aside(5)));
const kept = (tab: string, at = Date.now()) => ({ tab, owner: '1', storyId: 12, at, changes });
const [AGENT] = GRAPH.agents;
const DAY_MS = 24 * 60 * 60_000;
const rest = () => new Promise((resolve) => setTimeout(resolve));

Object.assign(globalThis, fakeIndexedDb);

describe('the journal of a browser', () => {
  afterEach(async () => {
    for (const tab of ['a', 'b', 'c']) await forgetChanges(tab);
  });

  it('keeps the changes of each tab, by person and story, newest first', async () => {
    const now = Date.now();
    await keepChanges(kept('a', now - 2));
    await keepChanges(kept('b', now - 1));
    await keepChanges({ ...kept('c'), owner: '2' });
    const found = await keptChanges('1', 12, now);
    expect(found.map(({ tab }) => tab)).toEqual(['b', 'a']);
    expect(found[0]?.changes).toEqual(changes);
    expect(await keptChanges('1', 13, now)).toEqual([]);
  });

  it('forgets a tab once it has no changes, and any after 30 days', async () => {
    await keepChanges(kept('a'));
    await keepChanges({ ...kept('a'), changes: changesBetween(DRAFT, DRAFT) });
    await keepChanges(kept('b', Date.now() - 31 * DAY_MS));
    expect(await keptChanges('1', 12, Date.now())).toEqual([]);
    expect(await keptChanges('1', 12, Date.now() - 30 * DAY_MS)).toEqual([]);
  });

  (JSON.rawJSON === undefined ? it.skip : it)('keeps the digits of long numbers', async () => {
    const long = after(DRAFT, setOption('guid-2', ['n'], new LongNumber('12345678901234567890')));
    await keepChanges({ ...kept('a'), changes: changesBetween(DRAFT, long) });
    const [found] = await keptChanges('1', 12, Date.now());
    expect(JSON.stringify(found?.changes)).toContain('12345678901234567890');
  });

  it('takes each change at once, and says when the browser keeps none', async () => {
    const store = createEditorStore({ graph: GRAPH, etag: '"7"' });
    const written: number[] = [];
    let fails = false;
    const keeper = createKeeper(store, { tab: 'a', owner: '1', storyId: 12 }, async ({ changes: all }) => {
      if (fails) throw new DOMException('no room', 'QuotaExceededError');
      written.push(all.actions.length);
    });
    store.getState().run(aside(1));
    await rest();
    expect(written).toEqual([1]);
    fails = true;
    store.getState().run(aside(2));
    await rest();
    expect(keeper.isKept.getState()).toBe(false);
    fails = false;
    store.getState().undo();
    await rest();
    expect([written, keeper.isKept.getState()]).toEqual([[1, 0], true]);
    keeper.stop();
  });

  it('keeps changes of very many parts less often than a drag changes them, and the last one', async () => {
    jest.useFakeTimers();
    const agents = Array.from({ length: 60 }, (_, at) => ({
      ...AGENT,
      guid: `many-${at}`,
      name: `Many ${at}`,
    }));
    const store = createEditorStore({ graph: { ...GRAPH, agents, links: [] }, etag: '"7"' });
    const written: unknown[] = [];
    const keeper = createKeeper(store, { tab: 'a', owner: '1', storyId: 12 }, async ({ changes: all }) => {
      written.push(all.actions[0]?.after?.position);
    });
    for (let x = 1; x <= 10; x += 1) {
      store.getState().run(move({ actions: new Map(agents.map(({ guid }) => [guid, { x, y: 0 }])) }));
      await jest.advanceTimersByTimeAsync(16);
    }
    await jest.advanceTimersByTimeAsync(500);
    keeper.stop();
    jest.useRealTimers();
    expect(written).toEqual([
      { x: 1, y: 0 },
      { x: 10, y: 0 },
    ]);
  });
});
