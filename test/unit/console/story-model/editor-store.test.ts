import type { StoryGraph, StoryGraphChanges } from '../../../../clients/typescript/api.js';
import { addAction, setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { addBehind } from '../../../../src/console/story-model/commands/link-commands.js';
import { addNote } from '../../../../src/console/story-model/commands/note-commands.js';
import { move, remove } from '../../../../src/console/story-model/commands/selection-commands.js';
import { changesBetween } from '../../../../src/console/story-model/changes/draft-changes.js';
import {
  actionOf,
  bodyOf,
  createEditorStore,
  hasContested,
  isDirty,
} from '../../../../src/console/story-model/editor-store.js';
import { stayingParts } from '../../../../src/console/story-model/draft-history.js';
import { action, GRAPH } from './drafts.js';

const open = () => createEditorStore({ graph: GRAPH, etag: '"7"' });
const aside = (x: number) => move({ actions: new Map([['guid-2', { x, y: 0 }]]) });
const { id: _id, guid: _guid, ...NEW } = action(0, 'New');

/** Returns what the server answers when this is saved: new parts have ids, and new actions guids of its own. */
function saved({ agents, ...body }: StoryGraphChanges): { graph: StoryGraph; etag: string } {
  const notes = body.notes?.map((note, at) => ({ ...note, id: note.id ?? 90 + at })) ?? [];
  const stored = agents.map((agent, at) =>
    agent.id ? agent : { ...agent, id: 90 + at, guid: `server-${at}` },
  ) as StoryGraph['agents'];
  return { graph: { ...GRAPH, ...body, version: 8, agents: stored, notes }, etag: '"8"' };
}

describe('the store of a story', () => {
  it('gives a moved action anew, and no other', () => {
    const store = open();
    const before = ['guid-1', 'guid-2', 'guid-3'].map((key) => actionOf(key)(store.getState()));
    store.getState().run(aside(5));
    const now = ['guid-1', 'guid-2', 'guid-3'].map((key) => actionOf(key)(store.getState()));
    expect(now.map((each, at) => each === before[at])).toEqual([true, false, true]);
  });

  it('is dirty only while something differs from what the server has', () => {
    const store = open();
    const { run, undo, redo, finish } = store.getState();
    const dirty = () => isDirty(store.getState());
    expect(dirty()).toBe(false);
    run(aside(5));
    finish();
    expect(dirty()).toBe(true);
    run(move({ actions: new Map([['guid-2', { x: 0, y: 180 }]]) }));
    expect([dirty(), store.getState().history.past.length]).toEqual([false, 2]);
    undo();
    expect(dirty()).toBe(true);
    redo();
    expect(dirty()).toBe(false);
  });

  it('knows the version that it was read with', () => {
    const { baseEtag } = open().getState();
    expect([baseEtag, bodyOf(open().getState())]).toEqual(['"7"', GRAPH]);
  });

  it('is clean once it is saved, and knows what was new by the names that it had', () => {
    const store = open();
    const { run, take, undo } = store.getState();
    run(addAction(NEW, 'mine'));
    run(addNote('x', { x: 0, y: 0 }, 'my note'));
    take(saved(bodyOf(store.getState())), store.getState().draft);
    const { draft, baseEtag } = store.getState();
    expect([isDirty(store.getState()), baseEtag, draft.rest]).toEqual([
      false,
      '"8"',
      { story_id: 12, version: 8 },
    ]);
    expect(draft.actions.get('mine')).toMatchObject({ id: 93, guid: 'server-3' });
    expect(draft.notes.get('my note')).toMatchObject({ id: 91 });
    undo();
    undo();
    expect([...store.getState().draft.actions.keys()]).toEqual(['guid-1', 'guid-2', 'guid-3']);
    expect(isDirty(store.getState())).toBe(true);
  });

  it('keeps what was changed while it was being saved', () => {
    const store = open();
    const { run, take } = store.getState();
    run(aside(5));
    const sent = store.getState();
    run(setOption('guid-3', ['to'], 'x'));
    take(saved(bodyOf(sent)), sent.draft);
    const state = store.getState();
    expect(isDirty(state)).toBe(true);
    expect(actionOf('guid-2')(state)).toEqual(actionOf('guid-2')({ ...state, draft: state.base }));
    expect(actionOf('guid-3')(state)?.options).toMatchObject({ to: 'x' });
  });

  it('takes in what others changed, below what was changed here', () => {
    const store = open();
    const { run, take } = store.getState();
    run(addAction(NEW, 'mine'));
    take(saved(bodyOf(store.getState())), store.getState().draft);
    run(aside(5));
    const [first, second, , mine] = store.getState().base.actions.values();
    const others = { ...first, disabled: true };
    const agents = [mine, { ...second, disabled: true }, others] as StoryGraph['agents'];
    const notes = [
      ...store.getState().base.notes.values(),
      { id: null, content: 'y' },
    ] as StoryGraph['notes'];
    take({
      graph: { ...GRAPH, version: 9, agents, links: [{ source: 2, receiver: 1 }], notes },
      etag: '"9"',
    });
    const { draft, contested } = store.getState();
    expect(contested).toEqual({ actions: ['guid-2'], links: [], notes: [] });
    expect([...draft.actions.keys()]).toEqual(['mine', 'guid-2', 'guid-1']);
    expect([...draft.notes.keys()]).toEqual(['note 5', 'note null']);
    expect(draft.actions.get('guid-1')?.disabled).toBe(true);
    expect(draft.actions.get('guid-2')).toMatchObject({ position: { x: 5, y: 0 } });
    expect(draft.actions.get('guid-2')?.disabled).toBeUndefined();
    expect([...draft.links.values()].map(({ source, receiver }) => [source, receiver])).toEqual([
      ['guid-1', 'guid-2'],
    ]);
  });

  it('has nothing contested where both did the same, and after a save', () => {
    const store = open();
    const { run, take } = store.getState();
    run(aside(5));
    const same = bodyOf(store.getState());
    take(saved(same));
    expect(store.getState().contested.actions).toEqual([]);
    run(aside(6));
    take(saved({ ...same, agents: same.agents.map((each) => ({ ...each, disabled: true })) }));
    take({ ...saved(same), etag: '"9"' });
    expect(store.getState().contested.actions).toEqual(['guid-2']);
    take(saved(bodyOf(store.getState())), store.getState().draft);
    expect(hasContested(store.getState())).toBe(false);
  });

  it('sends no id that the server lost with a removal that is taken back', () => {
    const store = open();
    const { run, take, undo } = store.getState();
    run(remove({ actions: ['guid-3'] }));
    take(saved(bodyOf(store.getState())), store.getState().draft);
    undo();
    const body = bodyOf(store.getState());
    expect(body.agents.map(({ id, guid }) => [id, guid])).toEqual([
      [1, 'guid-1'],
      [2, 'guid-2'],
      [undefined, 'guid-3'],
    ]);
    expect([body.version, body.links]).toEqual([8, GRAPH.links]);
  });

  it('takes back and makes again only what a step changed, and no change of others beside it', () => {
    const store = open();
    const { run, take, undo, redo } = store.getState();
    run(setOption('guid-3', ['to'], 'mine'));
    take(saved(bodyOf(store.getState())), store.getState().draft);
    const { graph } = saved(bodyOf(store.getState()));
    const agents = graph.agents.map((each) =>
      each.id === 3 ? { ...each, name: 'Theirs', options: { ...each.options, cc: 'theirs' } } : each,
    );
    take({ graph: { ...graph, version: 9, agents }, etag: '"9"' });
    undo();
    expect(actionOf('guid-3')(store.getState())).toMatchObject({ name: 'Theirs', options: { cc: 'theirs' } });
    expect(actionOf('guid-3')(store.getState())?.options).not.toHaveProperty('to');
    redo();
    expect(actionOf('guid-3')(store.getState())).toMatchObject({
      name: 'Theirs',
      options: { to: 'mine', cc: 'theirs' },
    });
  });

  it('leaves a new action its id while its options are typed during the save, and when they are taken back', () => {
    const store = open();
    const { run, take, undo } = store.getState();
    run(addAction(NEW, 'mine'));
    run(setOption('mine', ['to'], 'a'));
    const sent = store.getState();
    run(setOption('mine', ['to'], 'ab'));
    take(saved(bodyOf(sent)), sent.draft);
    const mine = () => actionOf('mine')(store.getState());
    expect(mine()).toMatchObject({ id: 93, guid: 'server-3', options: { to: 'ab' } });
    undo();
    expect(mine()).toMatchObject({ id: 93, guid: 'server-3' });
    expect(mine()?.options).not.toHaveProperty('to');
  });

  it('asks about an action that was changed here and removed there, and keeps it with its links if so chosen', () => {
    const store = open();
    const { run, take, settle } = store.getState();
    run(setOption('guid-3', ['to'], 'mine'));
    const { agents } = GRAPH;
    const without = { ...GRAPH, version: 8, agents: agents.slice(0, 2), links: GRAPH.links.slice(0, 1) };
    take({ graph: without, etag: '"8"' });
    expect(store.getState().contested.actions).toEqual(['guid-3']);
    expect(actionOf('guid-3')(store.getState())?.options).toMatchObject({ to: 'mine' });
    settle('actions', 'guid-3', 'mine');
    const body = bodyOf(store.getState());
    expect(body.agents.map(({ id, name }) => [id, name])).toEqual([
      [1, 'Receive'],
      [2, 'Ask'],
      [undefined, 'Send'],
    ]);
    expect(body.links).toEqual(GRAPH.links);
    settle('actions', 'guid-3', 'theirs');
    expect(isDirty(store.getState())).toBe(false);
  });

  it('restores a change of an action that is gone, and asks about it', () => {
    const mine = open();
    mine.getState().run(setOption('guid-3', ['to'], 'mine'));
    const { base, draft } = mine.getState();
    const { agents } = GRAPH;
    const graph = { ...GRAPH, version: 8, agents: agents.slice(0, 2), links: GRAPH.links.slice(0, 1) };
    const store = createEditorStore({ graph, etag: '"8"' });
    store.getState().restore({ changes: changesBetween(base, draft), sent: [] });
    expect(store.getState().contested.actions).toEqual(['guid-3']);
    expect(actionOf('guid-3')(store.getState())?.options).toMatchObject({ to: 'mine' });
  });

  it('brings an action that was removed here back with the links that it has there', () => {
    const store = open();
    const { run, take, settle } = store.getState();
    run(remove({ actions: ['guid-2'] }));
    const agents = GRAPH.agents.map((each) => (each.id === 2 ? { ...each, name: 'Theirs' } : each));
    take({ graph: { ...GRAPH, version: 8, agents }, etag: '"8"' });
    expect(store.getState().contested.actions).toEqual(['guid-2']);
    settle('actions', 'guid-2', 'theirs');
    expect(isDirty(store.getState())).toBe(false);
    expect(bodyOf(store.getState()).links).toEqual(GRAPH.links);
  });

  it('keeps an added action that somebody else has changed since, with its links, when the addition is taken back', () => {
    const store = open();
    const { run, take, undo, redo } = store.getState();
    run(addBehind('guid-3', NEW, 'mine'));
    take(saved(bodyOf(store.getState())), store.getState().draft);
    const { graph } = saved(bodyOf(store.getState()));
    const theirs = graph.agents.map((each) =>
      each.name === 'New' ? { ...each, options: { ...each.options, cc: 'theirs' } } : each,
    );
    take({ graph: { ...graph, version: 9, agents: theirs }, etag: '"9"' });
    expect(stayingParts(store.getState(), 'undo').actions).toEqual(['mine']);
    undo();
    expect(actionOf('mine')(store.getState())?.options).toMatchObject({ cc: 'theirs' });
    expect(isDirty(store.getState())).toBe(false);
    redo();
    expect(isDirty(store.getState())).toBe(false);
  });

  it('keeps an added action that somebody else has linked since, and removes one that nobody has touched', () => {
    const store = open();
    const { run, take, undo } = store.getState();
    run(addAction(NEW, 'mine'));
    take(saved(bodyOf(store.getState())), store.getState().draft);
    const { graph } = saved(bodyOf(store.getState()));
    const links = [...graph.links, { source: 1, receiver: 3 }];
    take({ graph: { ...graph, version: 9, links }, etag: '"9"' });
    undo();
    expect(actionOf('mine')(store.getState())).toBeDefined();
    take({ graph: { ...graph, version: 10 }, etag: '"10"' });
    store.getState().redo();
    store.getState().undo();
    expect(actionOf('mine')(store.getState())).toBeUndefined();
  });

  it('keeps what became contested during a save as such', () => {
    const store = open();
    const { run, take, contest } = store.getState();
    run(aside(5));
    const sent = store.getState();
    run(setOption('guid-3', ['to'], 'mine'));
    contest({ actions: ['guid-2', 'guid-3'], links: [], notes: [] });
    take(saved(bodyOf(sent)), sent.draft);
    expect(store.getState().contested.actions).toEqual(['guid-3']);
  });
});
