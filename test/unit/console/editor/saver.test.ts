import { FabulaError } from '../../../../clients/typescript/errors.js';
import type { StoryGraph, StoryGraphChanges } from '../../../../clients/typescript/api.js';
import { createSaver, type GraphServer } from '../../../../src/console/pages/editor/save/saver.js';
import { saveWords } from '../../../../src/console/pages/editor/save/save-words.js';
import {
  addAction,
  setFields,
  setOption,
} from '../../../../src/console/story-model/commands/action-commands.js';
import {
  createEditorStore,
  hasContested,
  type StoredGraph,
} from '../../../../src/console/story-model/editor-store.js';
import { move } from '../../../../src/console/story-model/commands/selection-commands.js';
import { action, GRAPH } from '../story-model/drafts.js';

const stale = () => new FabulaError(412, [], undefined, undefined);
const down = () => new TypeError('fetch failed');
const moved = (x: number) => move({ actions: new Map([['guid-2', { x, y: 0 }]]) });

/** A server that keeps a story by its version, and fails as it is told. */
function memoryServer() {
  let stored: StoredGraph = { graph: GRAPH, etag: '"7"' };
  let version = 7;
  /** What the next write does: nothing at all, or its work without a response. */
  let next: 'fail' | 'lose' | Error | undefined;
  const writes: string[] = [];
  const put = (body: StoryGraphChanges) => {
    version += 1;
    const agents = body.agents.map((agent, at) =>
      agent.id ? agent : { ...agent, id: 100 + version + at, guid: `server-${version}-${at}` },
    ) as StoryGraph['agents'];
    const notes = (body.notes ?? []) as StoryGraph['notes'];
    stored = { graph: { ...GRAPH, ...body, version, agents, notes }, etag: `"${version}"` };
  };
  const server: GraphServer = {
    read: async () => stored,
    write: async (body, etag) => {
      writes.push(etag);
      const now = next;
      next = undefined;
      if (now === 'fail') throw down();
      if (now instanceof Error) throw now;
      if (etag !== stored.etag) throw stale();
      put(body);
      if (now === 'lose') throw down();
      return stored;
    },
  };
  return {
    server,
    writes,
    put,
    stored: () => stored,
    names: () => stored.graph.agents.map(({ name }) => name),
    next: (what: typeof next) => {
      next = what;
    },
  };
}

function open() {
  const memory = memoryServer();
  const store = createEditorStore(memory.stored());
  const saver = createSaver(store, memory.server);
  return { ...memory, store, saver, state: () => saver.state.getState() };
}

describe('the saver', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('saves a second after the last change, and then once', async () => {
    const { store, state, writes, saver } = open();
    store.getState().run(moved(1));
    await jest.advanceTimersByTimeAsync(900);
    store.getState().run(moved(2));
    expect(state()).toEqual({ kind: 'waiting' });
    await jest.advanceTimersByTimeAsync(900);
    expect(writes).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(writes).toEqual(['"7"']);
    expect(state()).toEqual({ kind: 'saved' });
    saver.stop();
  });

  it('saves what was changed during a save under the new version', async () => {
    const { store, writes, saver, state } = open();
    store.getState().run(moved(1));
    const saving = saver.flush();
    store.getState().run(moved(2));
    await saving;
    expect(writes).toEqual(['"7"', '"8"']);
    expect(state()).toEqual({ kind: 'saved' });
  });

  it('merges what somebody else has saved, and saves below it', async () => {
    const { store, saver, put, names, state } = open();
    put({
      agents: GRAPH.agents.map((each) => (each.id === 3 ? { ...each, name: 'Theirs' } : each)),
      links: [],
    });
    store.getState().run(setFields('guid-2', { disabled: true }));
    await saver.flush();
    expect(names()).toEqual(['Receive', 'Ask', 'Theirs']);
    expect(state()).toEqual({ kind: 'saved' });
  });

  it('waits for a choice where both changed the same part', async () => {
    const { store, saver, put, names, state } = open();
    put({
      agents: GRAPH.agents.map((each) => (each.id === 2 ? { ...each, name: 'Theirs' } : each)),
      links: [],
    });
    store.getState().run(setFields('guid-2', { name: 'Mine' }));
    await saver.flush();
    expect(state()).toEqual({ kind: 'contested' });
    expect(hasContested(store.getState())).toBe(true);
    expect(names()).toEqual(['Receive', 'Theirs', 'Send']);
    store.getState().settle('actions', 'guid-2', 'mine');
    await saver.flush();
    expect(names()).toEqual(['Receive', 'Mine', 'Send']);
    expect(state()).toEqual({ kind: 'saved' });
  });

  it('tries again by itself without a connection, later each time', async () => {
    const { store, saver, next, writes, state } = open();
    store.getState().run(moved(1));
    next('fail');
    await saver.flush();
    expect(state()).toMatchObject({ kind: 'unsent', sentences: ['The server is unreachable.'] });
    next('fail');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(writes).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(3_900);
    expect(writes).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(200);
    expect(state()).toEqual({ kind: 'saved' });
  });

  it('does not add an action twice when the response to its save was lost', async () => {
    const { store, saver, next, names, state } = open();
    const { id: _id, guid: _guid, ...made } = action(9, 'New');
    store.getState().run(addAction(made, 'local'));
    next('lose');
    await saver.flush();
    expect(state()).toMatchObject({ kind: 'unsent' });
    store.getState().run(setFields('local', { disabled: true }));
    await saver.flush();
    expect(names()).toEqual(['Receive', 'Ask', 'Send', 'New']);
    expect(store.getState().draft.actions.get('local')).toMatchObject({ disabled: true, name: 'New' });
    expect(state()).toEqual({ kind: 'saved' });
  });

  it('loses no change when a write came to nothing and somebody else saved meanwhile', async () => {
    const { store, saver, next, put, stored } = open();
    store.getState().run(setFields('guid-2', { disabled: true }));
    next('fail');
    await saver.flush();
    put({
      agents: GRAPH.agents.map((each) => (each.id === 3 ? { ...each, disabled: true } : each)),
      links: [],
    });
    await saver.flush();
    expect(stored().graph.agents.map(({ disabled }) => disabled ?? false)).toEqual([false, true, true]);
  });

  it('does not add an action twice when news of its own lost save comes first', async () => {
    const { store, saver, next, names } = open();
    const { id: _id, guid: _guid, ...made } = action(9, 'New');
    store.getState().run(addAction(made, 'local'));
    next('lose');
    await saver.flush();
    saver.refresh();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(names()).toEqual(['Receive', 'Ask', 'Send', 'New']);
    expect(store.getState().draft.actions.size).toBe(4);
  });

  it('does not lose the removal of an option in a write without effect, when somebody else saves', async () => {
    const { store, saver, next, put, stored } = open();
    store.getState().run(setOption('guid-2', ['payload'], undefined));
    next('fail');
    await saver.flush();
    // Such as a change of the settings, which is no part of the graph.
    put(GRAPH);
    saver.refresh();
    await jest.advanceTimersByTimeAsync(10);
    expect(store.getState().draft.actions.get('guid-2')?.options).toEqual({});
    await saver.flush();
    expect(stored().graph.agents[1]?.options).toEqual({});
  });

  it('reads what others saved after its own save, though the news came before the response', async () => {
    const { store, saver, server, put, stored } = open();
    const { write } = server;
    const responses: (() => void)[] = [];
    server.write = async (body, etag) => {
      const response = await write(body, etag);
      await new Promise<void>((done) => responses.push(done));
      return response;
    };
    store.getState().run(moved(1));
    const saving = saver.flush();
    await jest.advanceTimersByTimeAsync(10);
    put({ agents: stored().graph.agents.map((each) => ({ ...each, name: `${each.name}!` })), links: [] });
    saver.refresh();
    responses.forEach((respond) => respond());
    await saving;
    await jest.advanceTimersByTimeAsync(10);
    expect([...store.getState().draft.actions.values()].map(({ name }) => name)).toEqual([
      'Receive!',
      'Ask!',
      'Send!',
    ]);
  });

  it('tells that the story is gone, by a save and by the look for what others have saved', async () => {
    const absent = new FabulaError(404, [], undefined, undefined);
    const { store, saver, server, next, state } = open();
    server.read = async () => {
      throw absent;
    };
    saver.refresh();
    await jest.advanceTimersByTimeAsync(10);
    expect(state()).toEqual({ kind: 'gone' });
    next(absent);
    store.getState().run(moved(1));
    await saver.flush();
    expect(state()).toEqual({ kind: 'gone' });
    expect(store.getState().draft).not.toBe(store.getState().base);
  });

  it('leaves word of a write before it is sent, until it is answered or refused', async () => {
    const { store, saver, next, server } = open();
    const { write } = server;
    const seen: number[] = [];
    server.write = (body, etag) => {
      seen.push(store.getState().unanswered.length);
      return write(body, etag);
    };
    store.getState().run(moved(1));
    await saver.flush();
    store.getState().run(moved(2));
    next(new FabulaError(422, [], undefined, undefined));
    await saver.flush();
    store.getState().run(moved(3));
    next('lose');
    await saver.flush();
    expect([seen, store.getState().unanswered.length]).toEqual([[1, 1, 1], 1]);
    await saver.flush();
    expect(store.getState().unanswered).toEqual([]);
  });

  it('does not go back to what was read before a save that has ended since', async () => {
    const { store, saver, server, stored } = open();
    const { read } = server;
    const old = stored();
    server.read = async () => {
      await new Promise((done) => setTimeout(done, 3_000));
      return old;
    };
    saver.refresh();
    server.read = read;
    store.getState().run(moved(1));
    await saver.flush();
    await jest.advanceTimersByTimeAsync(3_000);
    const { baseEtag, draft } = store.getState();
    expect([baseEtag, draft.actions.get('guid-2')?.position]).toEqual(['"8"', { x: 1, y: 0 }]);
    saver.stop();
  });

  it('stops at a refusal until the story is changed', async () => {
    const { store, saver, next, writes, state } = open();
    store.getState().run(moved(1));
    next(new FabulaError(422, [], undefined, undefined));
    await saver.flush();
    expect(state().kind).toBe('refused');
    await jest.advanceTimersByTimeAsync(600_000);
    expect(writes).toHaveLength(1);
    store.getState().run(moved(2));
    await jest.advanceTimersByTimeAsync(1_100);
    expect(state()).toEqual({ kind: 'saved' });
  });

  it('sends nothing that the server would refuse', async () => {
    const { store, saver, writes, state } = open();
    store.getState().run(setFields('guid-2', { name: '' }));
    await saver.flush();
    expect(state()).toEqual({ kind: 'refused', sentences: ['An action needs a name.'] });
    expect(writes).toEqual([]);
  });
});

describe('the words for how far changes are saved', () => {
  const facts = { isKept: true, isDirty: true, isDraft: true };

  it('claim that the browser keeps them only if it does', () => {
    const unsent = { kind: 'unsent', sentences: ['The server is unreachable.'] } as const;
    expect(saveWords(unsent, facts)).toBe('Not saved: no connection, kept in this browser');
    expect(saveWords(unsent, { ...facts, isKept: false })).toBe('Not saved: no connection');
    expect(saveWords({ kind: 'refused', sentences: ['An action needs a name.'] }, facts)).toBe(
      'Not saved: An action needs a name.',
    );
    expect(saveWords({ kind: 'saving' }, facts)).toBe('Saving');
  });

  it('claim that something is not saved only if something is changed', () => {
    const gone = { kind: 'gone' } as const;
    expect(saveWords(gone, facts)).toBe('Not saved: this draft was published or deleted');
    expect(saveWords(gone, { ...facts, isDirty: false })).toBe('This draft was published or deleted');
    expect(saveWords(gone, { ...facts, isDraft: false })).toBe('Not saved: this story was deleted');
  });
});
