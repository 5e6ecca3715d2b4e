import type { StoryGraph, StoryGraphChanges } from '../../../../clients/typescript/api.js';
import {
  addAction,
  setFields,
  setOption,
} from '../../../../src/console/story-model/commands/action-commands.js';
import { addBehind } from '../../../../src/console/story-model/commands/link-commands.js';
import { addNote } from '../../../../src/console/story-model/commands/note-commands.js';
import { changesBetween } from '../../../../src/console/story-model/changes/draft-changes.js';
import {
  bodyOf,
  createEditorStore,
  hasContested,
  isDirty,
} from '../../../../src/console/story-model/editor-store.js';
import type { Command } from '../../../../src/console/story-model/story-draft.js';
import { action, GRAPH } from './drafts.js';

const { id: _id, guid: _guid, ...NEW } = action(0, 'New', { position: { x: 0, y: 500 } });

/** Returns what the server makes of a body: new parts get ids, and new actions guids of its own. */
function stored({ agents, notes = [], ...body }: StoryGraphChanges): StoryGraph {
  return {
    ...GRAPH,
    ...body,
    version: 8,
    agents: agents.map((agent, at) => (agent.id ? agent : { ...agent, id: 90 + at, guid: `server-${at}` })),
    notes: notes.map((note, at) => ({ ...note, id: note.id ?? 80 + at, guid: `note-${at}` })),
  } as StoryGraph;
}

/**
 * A tab that is killed after its write had its effect and before the response came: `before` was sent, `after` was not.
 * Returns a tab that opens the story then and restores what the browser kept.
 */
function reopened(
  before: Command[],
  after: Command[] = [],
  others: (graph: StoryGraph) => StoryGraph = (graph) => graph,
) {
  const killed = createEditorStore({ graph: GRAPH, etag: '"7"' });
  for (const command of before) killed.getState().run(command);
  const { base, draft: sent } = killed.getState();
  const body = bodyOf(killed.getState());
  for (const command of after) killed.getState().run(command);
  const { draft } = killed.getState();
  const store = createEditorStore({ graph: others(stored(body)), etag: '"8"' });
  store.getState().restore({
    changes: changesBetween(base, draft),
    sent: sent === draft ? [] : [changesBetween(base, sent)],
  });
  return store;
}

const namesIn = (store: ReturnType<typeof createEditorStore>) =>
  [...store.getState().draft.actions.values()].map(({ name }) => name);

describe('work that a browser kept', () => {
  it('adds nothing twice that the server had taken before the tab was killed', () => {
    const store = reopened([
      addBehind('guid-3', NEW, 'mine'),
      addNote('a note', { x: 1, y: 2 }, 'my note'),
      setOption('guid-2', ['to'], 'x'),
    ]);
    expect(namesIn(store)).toEqual(['Receive', 'Ask', 'Send', 'New']);
    expect([isDirty(store.getState()), hasContested(store.getState())]).toEqual([false, false]);
  });

  it('makes what came after the write, in the parts that it added and changed', () => {
    const store = reopened(
      [addBehind('guid-3', NEW, 'mine'), setOption('guid-2', ['to'], 'x')],
      [
        setOption('mine', ['to'], 'later'),
        setOption('guid-2', ['to'], 'xy'),
        addBehind('mine', { ...NEW, name: 'Last' }, 'last'),
      ],
    );
    expect(namesIn(store)).toEqual(['Receive', 'Ask', 'Send', 'New', 'Last']);
    expect(hasContested(store.getState())).toBe(false);
    const { agents, links } = bodyOf(store.getState());
    expect(agents.map(({ id, options }) => [id, options['to']])).toEqual([
      [1, undefined],
      [2, 'xy'],
      [3, undefined],
      [93, 'later'],
      [undefined, undefined],
    ]);
    expect(links.map(({ source, receiver }) => [source, receiver])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
  });

  it('adds what the server has not taken, beside an action that only has the same name', () => {
    const killed = createEditorStore({ graph: GRAPH, etag: '"7"' });
    killed.getState().run(addAction(NEW, 'mine'));
    const { base, draft } = killed.getState();
    const agents = [...GRAPH.agents, action(9, 'New', { options: { their: 'own' } })];
    const store = createEditorStore({ graph: { ...GRAPH, version: 8, agents }, etag: '"8"' });
    store.getState().restore({ changes: changesBetween(base, draft), sent: [] });
    expect(namesIn(store)).toEqual(['Receive', 'Ask', 'Send', 'New', 'New']);
  });

  it('asks where somebody else has changed the same part since the write', () => {
    const store = reopened([setFields('guid-2', { name: 'Mine' })], [], (graph) => ({
      ...graph,
      agents: graph.agents.map((each) => (each.id === 2 ? { ...each, name: 'Theirs' } : each)),
    }));
    expect(store.getState().contested.actions).toEqual(['guid-2']);
  });

  it('takes the removal of an option that the server still has for no write', () => {
    const killed = createEditorStore({ graph: GRAPH, etag: '"7"' });
    killed.getState().run(setOption('guid-2', ['payload'], undefined));
    const { base, draft } = killed.getState();
    const store = createEditorStore({ graph: GRAPH, etag: '"7"' });
    store.getState().restore({ changes: changesBetween(base, draft), sent: [] });
    expect(store.getState().draft.actions.get('guid-2')?.options).toEqual({});
  });
});
