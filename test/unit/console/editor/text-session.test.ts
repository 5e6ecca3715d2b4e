import { createTextSession, type TextState } from '../../../../src/console/pages/editor/text/text-session.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import type { UnreadText } from '../../../../src/console/pages/editor/view-store.js';
import {
  createEditorStore,
  type EditorStore,
  hasContested,
} from '../../../../src/console/story-model/editor-store.js';
import { remove } from '../../../../src/console/story-model/commands/selection-commands.js';
import type { TextScope } from '../../../../src/console/story-model/text/story-text.js';
import { FORMATS } from '../../../../src/console/text/formats/formats.js';
import { GRAPH } from '../story-model/drafts.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function opened(
  scope: TextScope = 'story',
  {
    held,
    store = createEditorStore({ graph: GRAPH, etag: '"7"' }),
  }: { held?: UnreadText; store?: EditorStore } = {},
) {
  const shown = { text: '', count: 0 };
  let state: TextState = { fault: undefined, isBehind: false, unread: undefined };
  const session = createTextSession({
    store,
    format: FORMATS.yaml,
    scope,
    held,
    run: (command) => store.getState().run(command),
    onText: (text) => {
      shown.text = text;
      shown.count += 1;
    },
    onState: (next) => {
      state = next;
    },
  });
  shown.text = session.text;
  return {
    store,
    session,
    shown,
    state: () => state,
    type: (before: string, after: string) => {
      shown.text = shown.text.replace(before, after);
      session.type(shown.text);
      jest.advanceTimersByTime(5_000);
    },
    options: (key: string) => store.getState().draft.actions.get(key)?.options,
    labels: () => store.getState().history.past.map(({ label }) => label),
  };
}

describe('a text beside its story', () => {
  it('changes the story once the person rests, in one step until they leave', () => {
    const { session, shown, type, options, labels } = opened();
    session.type(shown.text.replace('{{ .Ask }}', 'too early'));
    expect(labels()).toEqual([]);
    type('{{ .Ask }}', 'Hi');
    type('Hi', 'Hi you');
    expect(options('guid-2')).toEqual({ payload: { text: 'Hi you' } });
    expect(labels()).toEqual(['Edit Ask as text']);
    session.leave();
    type('Hi you', 'Bye');
    expect(labels()).toEqual(['Edit Ask as text', 'Edit Ask as text']);
    expect(shown.count).toBe(0);
  });

  it('leaves the story alone while the text cannot be read, and says where', () => {
    const { type, options, state, shown } = opened();
    type('{{ .Ask }}', '"{{ .Ask }}');
    expect(shown.text.slice(state().fault?.at)).toMatch(/^\S/);
    expect(options('guid-2')).toEqual({ payload: { text: '{{ .Ask }}' } });
    type('"{{ .Ask }}', 'right');
    expect(state()).toEqual({ fault: undefined, isBehind: false, unread: undefined });
    expect(options('guid-2')).toEqual({ payload: { text: 'right' } });
  });

  it('follows other changes, and keeps the style of what is typed', () => {
    const { store, shown, type } = opened();
    type('guid: guid-2', '# mine\n  guid: guid-2');
    store
      .getState()
      .run((draft) => ({ draft: { ...draft, actions: new Map(draft.actions) }, label: 'None' }));
    jest.advanceTimersByTime(1_000);
    expect(shown.text).toContain('# mine');
    store.getState().run(setOption('guid-3', ['payload', 'text'], 'by the form'));
    jest.advanceTimersByTime(1_000);
    expect(shown.text).toContain('text: by the form');
    store.getState().undo();
    jest.advanceTimersByTime(1_000);
    expect(shown.text).not.toContain('by the form');
  });

  it('keeps a text that cannot be read when the story changes, and takes back nothing of that', () => {
    const { store, shown, type, state, options, session } = opened();
    type('links:', 'links');
    store.getState().run(setOption('guid-3', ['payload', 'text'], 'theirs'));
    jest.advanceTimersByTime(1_000);
    expect(state()).toMatchObject({ fault: expect.anything(), isBehind: true });
    expect(shown.count).toBe(0);
    type('links', 'links:');
    expect(options('guid-3')).toEqual({ payload: { text: 'theirs' } });
    expect(shown.text).toContain('text: theirs');

    type('links:', 'links');
    session.reset();
    expect(shown.text).toContain('links:');
    expect(state().fault).toBeUndefined();
  });

  it('gives new actions their guids when the person leaves, and keeps them in a selection', () => {
    const { session, shown, type, store } = opened({ actions: ['guid-2', 'guid-3'] });
    type('links:', '- type: Agents::EmailAgent\n  name: Mail\n  options: {}\nlinks:');
    expect(shown.count).toBe(0);
    session.leave();
    const [key, mail] = [...store.getState().draft.actions].at(-1) ?? [];
    expect(mail).toMatchObject({ name: 'Mail', guid: key });
    expect(shown.text).toContain(
      `guid: "${key}"`.replaceAll('"', shown.text.includes(`"${key}"`) ? '"' : ''),
    );
    store.getState().run(remove({ actions: [key ?? ''] }));
    jest.advanceTimersByTime(1_000);
    expect(shown.text).not.toContain('name: Mail');
  });

  it('gives back what could not be read when it is closed, and reads what was just typed', () => {
    const first = opened();
    first.session.type(first.shown.text.replace('{{ .Ask }}', 'last words'));
    first.session.stop();
    expect(first.state().unread).toBeUndefined();
    expect(first.options('guid-2')).toEqual({ payload: { text: 'last words' } });
    const second = opened();
    second.session.type('- no');
    second.session.stop();
    expect(second.state().unread).toEqual({
      text: '- no',
      was: second.shown.text,
      made: { actions: [], notes: [] },
    });
  });

  it('says nothing else than what was typed, when a text that could not be read is shown again', () => {
    const first = opened();
    first.type('{{ .Ask }}', '"mine');
    const { store } = first;
    first.session.stop();
    store.getState().run(setOption('guid-3', ['payload', 'text'], 'meanwhile'));
    const held = JSON.parse(JSON.stringify(first.state().unread)) as UnreadText;
    const second = opened('story', { held, store });
    expect(second.state()).toMatchObject({ fault: expect.anything(), isBehind: true });
    second.type('"mine', 'mine');
    expect(second.options('guid-2')).toEqual({ payload: { text: 'mine' } });
    expect(second.options('guid-3')).toEqual({ payload: { text: 'meanwhile' } });
    expect(hasContested(store.getState())).toBe(false);
  });

  it('asks about all that a text says, if what it was made of can no longer be read', () => {
    const first = opened();
    first.type('{{ .Ask }}', '"mine');
    const held = { ...first.state().unread, was: 'links: [' } as UnreadText;
    const second = opened('story', { held });
    second.type('"mine', 'mine');
    expect(second.store.getState().contested.actions).toEqual(['guid-2']);
  });

  it('lets the person choose where a colleague changed the same value while it could not be read', () => {
    const { store, type, options } = opened();
    type('{{ .Ask }}', '"mine');
    const agents = GRAPH.agents.map((each) =>
      each.id === 2 ? { ...each, options: { payload: { text: 'theirs' } } } : each,
    );
    store.getState().take({ graph: { ...GRAPH, version: 8, agents }, etag: '"8"' });
    type('"mine', 'mine');
    expect(options('guid-2')).toEqual({ payload: { text: 'mine' } });
    expect(store.getState().contested.actions).toEqual(['guid-2']);
    store.getState().settle('actions', 'guid-2', 'theirs');
    expect(options('guid-2')).toEqual({ payload: { text: 'theirs' } });
  });

  it('lets the person choose about a part that they changed and a colleague removed', () => {
    const { store, type } = opened();
    type('name: Send', 'name: "Tell');
    store
      .getState()
      .take({ graph: { ...GRAPH, version: 8, agents: GRAPH.agents.slice(0, 2), links: [] }, etag: '"8"' });
    type('name: "Tell', 'name: Tell');
    expect(store.getState().contested.actions).toEqual(['guid-3']);
    expect(store.getState().draft.actions.get('guid-3')?.name).toBe('Tell');
  });

  it('may be the options of one action, and leaves what a colleague changed in them meanwhile', () => {
    const { store, session, shown, type, options, labels } = opened({ options: 'guid-2' });
    expect(shown.text).toBe('payload:\n  text: "{{ .Ask }}"\n');
    type('{{ .Ask }}"', 'mine');
    const agents = GRAPH.agents.map((each) =>
      each.id === 2 ? { ...each, options: { ...each.options, cc: 'theirs' } } : each,
    );
    store.getState().take({ graph: { ...GRAPH, version: 8, agents }, etag: '"8"' });
    jest.advanceTimersByTime(1_000);
    expect(shown.text).not.toContain('cc: theirs');
    type('"mine', 'mine');
    expect(options('guid-2')).toEqual({ payload: { text: 'mine' }, cc: 'theirs' });
    expect([labels(), hasContested(store.getState())]).toEqual([['Edit Ask as text'], false]);
    type(shown.text, '- no');
    session.stop();
    expect(options('guid-2')).toEqual({ payload: { text: 'mine' }, cc: 'theirs' });
  });

  it('leaves what a colleague saved beside it, while the text was being typed', () => {
    const { store, session, shown, options } = opened();
    session.type(shown.text.replace('{{ .Ask }}', 'Hi'));
    const agents = GRAPH.agents.map((each) =>
      each.id === 2 ? { ...each, name: 'Theirs', options: { ...each.options, cc: 'theirs' } } : each,
    );
    store.getState().take({ graph: { ...GRAPH, version: 8, agents }, etag: '"8"' });
    jest.advanceTimersByTime(5_000);
    expect(options('guid-2')).toEqual({ payload: { text: 'Hi' }, cc: 'theirs' });
    expect(store.getState().draft.actions.get('guid-2')?.name).toBe('Theirs');
    expect(shown.text).toContain('cc: theirs');
  });
});
