import { createTextSession, type TextState } from '../../../../src/console/pages/editor/text/text-session.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import { remove } from '../../../../src/console/story-model/commands/selection-commands.js';
import type { TextScope } from '../../../../src/console/story-model/text/story-text.js';
import { FORMATS } from '../../../../src/console/text/formats/formats.js';
import { GRAPH } from '../story-model/drafts.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function opened(scope: TextScope = 'story') {
  const store = createEditorStore({ graph: GRAPH, etag: '"7"' });
  const shown = { text: '', count: 0 };
  let state: TextState = { fault: undefined, isBehind: false };
  const session = createTextSession({
    store,
    format: FORMATS.yaml,
    scope,
    held: undefined,
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
    expect(state()).toEqual({ fault: undefined, isBehind: false });
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
    expect(first.session.stop()).toBeUndefined();
    expect(first.options('guid-2')).toEqual({ payload: { text: 'last words' } });
    const second = opened();
    second.session.type('- no');
    expect(second.session.stop()).toEqual({ text: '- no', shown: second.store.getState().base });
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
