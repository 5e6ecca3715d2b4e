import * as fakeIndexedDb from 'fake-indexeddb';
import { createKeeper } from '../../../../src/console/pages/editor/save/keeper.js';
import { forgetWork, keepWork, keptWork } from '../../../../src/console/pages/editor/save/journal.js';
import { forgetPerson, keptByPerson } from '../../../../src/console/pages/editor/save/kept-by-person.js';
import { savedPayloads, savePayload } from '../../../../src/console/pages/editor/sample/payload-store.js';
import { keepRules, keptRules } from '../../../../src/console/pages/editor/trial/rule-store.js';
import { createViewStore, type HeldText } from '../../../../src/console/pages/editor/view-store.js';
import { changesBetween } from '../../../../src/console/story-model/changes/draft-changes.js';
import { bodyOf, createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { move } from '../../../../src/console/story-model/commands/selection-commands.js';
import { LongNumber } from '../../../../src/console/text/exact-json.js';
import { after, DRAFT, GRAPH } from '../story-model/drafts.js';

const aside = (x: number) => move({ actions: new Map([['guid-2', { x, y: 0 }]]) });
const changes = changesBetween(DRAFT, after(DRAFT, aside(5)));
const kept = (tab: string, at = Date.now()) => ({
  tab,
  owner: '1',
  storyId: 12,
  at,
  changes,
  sent: [],
  texts: [],
});
const NOTHING = changesBetween(DRAFT, DRAFT);
const TEXT: HeldText = {
  scope: { options: 'guid-2' },
  format: 'json',
  text: '{',
  was: '{}',
  made: { actions: [], notes: [] },
  isShown: true,
};
const [AGENT] = GRAPH.agents;
const DAY_MS = 24 * 60 * 60_000;
const rest = () => new Promise((resolve) => setTimeout(resolve));

Object.assign(globalThis, fakeIndexedDb);

describe('the journal of a browser', () => {
  afterEach(async () => {
    for (const tab of ['a', 'b', 'c']) await forgetWork(tab);
  });

  it('keeps the changes of each tab, by person and story, newest first', async () => {
    const now = Date.now();
    await keepWork(kept('a', now - 2));
    await keepWork(kept('b', now - 1));
    await keepWork({ ...kept('c'), owner: '2' });
    const found = await keptWork('1', 12, now);
    expect(found.map(({ tab }) => tab)).toEqual(['b', 'a']);
    expect(found[0]?.changes).toEqual(changes);
    expect(await keptWork('1', 13, now)).toEqual([]);
  });

  it('forgets a tab once it has no changes, and any after 30 days', async () => {
    await keepWork(kept('a'));
    await keepWork({ ...kept('a'), changes: NOTHING });
    await keepWork(kept('b', Date.now() - 31 * DAY_MS));
    expect(await keptWork('1', 12, Date.now())).toEqual([]);
    expect(await keptWork('1', 12, Date.now() - 30 * DAY_MS)).toEqual([]);
  });

  (JSON.rawJSON === undefined ? it.skip : it)('keeps the digits of long numbers', async () => {
    const long = after(DRAFT, setOption('guid-2', ['n'], new LongNumber('12345678901234567890')));
    await keepWork({ ...kept('a'), changes: changesBetween(DRAFT, long) });
    const [found] = await keptWork('1', 12, Date.now());
    expect(JSON.stringify(found?.changes)).toContain('12345678901234567890');
  });

  it('keeps a text that cannot be read, also without changes', async () => {
    await keepWork({ ...kept('a'), changes: NOTHING, texts: [TEXT] });
    const [found] = await keptWork('1', 12, Date.now());
    expect(found?.texts).toEqual([TEXT]);
  });

  it('forgets all that it keeps of one person at their sign-out, and nothing of others', async () => {
    const others = { owner: '2', storyId: 12 };
    const own = { owner: '1', storyId: 12 };
    await keepWork(kept('a'));
    await keepWork({ ...kept('b'), ...others });
    for (const place of [own, others]) {
      await savePayload(place, { name: 'A call', text: '{}' });
      await keepRules(place, [{ method: 'GET', url: '*', status: 200, body: '' }] as never);
    }
    expect(await keptByPerson('1')).toEqual({ tabs: 1, payloads: 1 });
    await forgetPerson('1');
    const left = async (place: typeof own) => [
      (await keptWork(place.owner, 12, Date.now())).length,
      (await savedPayloads(place)).length,
      (await keptRules(place)).length,
    ];
    expect([await left(own), await left(others)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    await forgetPerson('2');
  });

  it('takes in texts that cannot be read, and what was sent before the last change', async () => {
    const store = createEditorStore({ graph: GRAPH, etag: '"7"' });
    const view = createViewStore();
    const written: unknown[] = [];
    const keeper = createKeeper(store, view, { tab: 'a', owner: '1', storyId: 12 }, async (work) => {
      written.push([work.texts.length, work.sent.map(({ actions }) => actions[0]?.after?.position)]);
    });
    view.getState().holdText(TEXT);
    await rest();
    expect(written).toEqual([[1, []]]);
    store.getState().run(aside(1));
    store.setState({ unanswered: [{ draft: store.getState().draft, body: bodyOf(store.getState()) }] });
    store.getState().run(aside(2));
    await rest();
    expect(written.at(-1)).toEqual([1, [{ x: 1, y: 0 }]]);
    keeper.stop();
  });

  it('takes each change at once, and says when the browser keeps none', async () => {
    const store = createEditorStore({ graph: GRAPH, etag: '"7"' });
    const written: number[] = [];
    let fails = false;
    const keeper = createKeeper(
      store,
      createViewStore(),
      { tab: 'a', owner: '1', storyId: 12 },
      async ({ changes: all }) => {
        if (fails) throw new DOMException('no room', 'QuotaExceededError');
        written.push(all.actions.length);
      },
    );
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
    const keeper = createKeeper(
      store,
      createViewStore(),
      { tab: 'a', owner: '1', storyId: 12 },
      async ({ changes: all }) => {
        written.push(all.actions[0]?.after?.position);
      },
    );
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
