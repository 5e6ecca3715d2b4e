import {
  addAction,
  rename,
  setFields,
  setOption,
  setOptions,
} from '../../../../src/console/story-model/commands/action-commands.js';
import { copied, paste } from '../../../../src/console/story-model/fragment/fragment.js';
import { connect, mayLink } from '../../../../src/console/story-model/commands/link-commands.js';
import { addNote, setNote } from '../../../../src/console/story-model/commands/note-commands.js';
import {
  disconnect,
  move,
  remove,
  tidy,
} from '../../../../src/console/story-model/commands/selection-commands.js';
import type { Command } from '../../../../src/console/story-model/story-draft.js';
import { action, after, DRAFT, TO_ASK, TO_SEND } from './drafts.js';

const label = (command: Command) => command(DRAFT).label;
const ask = (command: Command) => command(DRAFT).draft.actions.get('guid-2');
const HERE = { x: 5, y: 6 };
const DRAFTED = { text: '{{ .Ask }}' };
const withoutId = ({ id: _id, ...form }: ReturnType<typeof action>) => form;
const withoutPlace = ({ position: _position, ...form }: ReturnType<typeof action>) => form;

/** Returns what makes guids that can be foretold. */
function counted(): () => string {
  let made = 0;
  return () => `new-${(made += 1)}`;
}

describe('commands for actions', () => {
  it('add one at the end, under a guid of its own', () => {
    const { id: _id, ...form } = action(9, 'New');
    const { actions } = after(DRAFT, addAction(form), addAction(form, 'given'));
    const [first = '', second] = [...actions.keys()].slice(3);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe('given');
    expect(actions.get(first)).toEqual({ ...form, guid: first });
    expect(label(addAction(form))).toBe('Add New');
  });

  it.each<[string, (string | number)[], unknown, unknown]>([
    ['change a value', ['payload', 'text'], 'x', { payload: { text: 'x' } }],
    ['take a key out', ['payload', 'text'], undefined, { payload: {} }],
    ['make what is missing', ['rules', 0, 'path'], 'a', { payload: DRAFTED, rules: [{ path: 'a' }] }],
    ['replace all of it', [], { mode: 'x' }, { mode: 'x' }],
    [
      'set keys with a meaning to JavaScript',
      ['payload', 'constructor'],
      1,
      { payload: { ...DRAFTED, constructor: 1 } },
    ],
  ])('%s in the options', (_name, path, value, expected) => {
    expect(ask(setOption('guid-2', path, value))?.options).toEqual(expected);
  });

  it('set `__proto__` in the options as any other key', () => {
    const options = ask(setOption('guid-2', ['payload', '__proto__', 'x'], 1))?.options;
    expect(JSON.stringify(options)).toBe('{"payload":{"text":"{{ .Ask }}","__proto__":{"x":1}}}');
  });

  it('change and take out items of a list, and refuse paths into other values', () => {
    const draft = after(DRAFT, setOptions('guid-2', { list: ['a', 'b', 'c'], text: 'x' }));
    const list = (command: Command) => after(draft, command).actions.get('guid-2')?.options['list'];
    expect(list(setOption('guid-2', ['list', 1], 'B'))).toEqual(['a', 'B', 'c']);
    expect(list(setOption('guid-2', ['list', 1], undefined))).toEqual(['a', 'c']);
    for (const path of [
      ['list', 'a'],
      ['text', 'a'],
      ['text', 0],
    ]) {
      expect(() => after(draft, setOption('guid-2', path, 1))).toThrow(TypeError);
    }
  });

  it('change fields besides options, and take them out', () => {
    const fields = { disabled: true, keep_events_for: 60, schedule: ['every hour'], position: undefined };
    expect(ask(setFields('guid-2', fields))).toEqual({
      ...withoutPlace(action(2, 'Ask')),
      disabled: true,
      keep_events_for: 60,
      schedule: ['every hour'],
    });
  });

  it('rename one with the options that the server has rewritten, in one step', () => {
    const rewritten = {
      actions: new Map([
        ['guid-3', { options: { to: '{{ .ask_again }}' } }],
        ['gone', { options: {} }],
      ]),
      notes: new Map([['gone', 'x']]),
      count: 2,
    };
    const { draft, label } = rename('guid-2', 'Ask again', rewritten)(DRAFT);
    expect([...draft.actions.values()].map(({ name, options }) => [name, options])).toEqual([
      ['Receive', { payload: { text: '{{ .Receive }}' } }],
      ['Ask again', { payload: DRAFTED }],
      ['Send', { to: '{{ .ask_again }}' }],
    ]);
    expect(label).toBe('Rename Ask to Ask again, 2 references');
  });

  it('say what they do', () => {
    expect(label(setOption('guid-2', ['payload', 'text'], 1))).toBe('Change payload of Ask');
    expect(label(setOption('guid-2', [], {}))).toBe('Change options of Ask');
    expect(label(setOptions('guid-2', {}))).toBe('Change options of Ask');
    expect(label(setFields('guid-2', {}))).toBe('Change Ask');
    expect(label(rename('guid-2', 'Z'))).toBe('Rename Ask to Z');
  });
});

describe('commands for links', () => {
  it('link two actions once for each kind', () => {
    const twice = [
      connect('guid-3', 'guid-2'),
      connect('guid-3', 'guid-2'),
      connect('guid-3', 'guid-2', 'FAILURE'),
    ];
    expect(after(DRAFT, ...twice).links.size).toBe(4);
    expect(label(connect('guid-3', 'guid-2'))).toBe('Link Send to Ask');
  });

  it('link nothing into a webhook, or with what is gone', () => {
    expect(mayLink(DRAFT, 'guid-2', 'guid-2')).toBe(true);
    for (const [from, to] of [
      ['guid-2', 'guid-1'],
      ['gone', 'guid-2'],
      ['guid-2', 'gone'],
    ] as const) {
      expect(mayLink(DRAFT, from, to)).toBe(false);
      expect(after(DRAFT, connect(from, to))).toBe(DRAFT);
    }
  });

  it('take links out', () => {
    expect([...after(DRAFT, disconnect(TO_ASK)).links.keys()]).toEqual([TO_SEND]);
    expect(label(disconnect(TO_ASK, TO_SEND))).toBe('Remove 2 links');
  });
});

describe('commands for what is chosen', () => {
  it('move actions and notes', () => {
    const places = new Map([
      ['guid-2', HERE],
      ['gone', HERE],
    ]);
    const draft = after(DRAFT, move({ actions: places, notes: new Map([['note 5', HERE]]) }));
    expect([...draft.actions.values()].map(({ position }) => position)).toEqual([
      { x: 0, y: 90 },
      HERE,
      { x: 0, y: 270 },
    ]);
    expect(draft.actions.size).toBe(3);
    expect(draft.notes.get('note 5')?.position).toEqual(HERE);
    expect(draft.actions.get('guid-1')).toBe(DRAFT.actions.get('guid-1'));
    expect(label(move({ actions: new Map([['guid-2', HERE]]) }))).toBe('Move Ask');
    expect(label(move({ notes: new Map([['note 5', HERE]]) }))).toBe('Move 1 note');
  });

  it('put all where a layout has them', () => {
    const { draft, label, group } = tidy(new Map([['guid-2', HERE]]))(DRAFT);
    expect([draft.actions.get('guid-2')?.position, label, group]).toEqual([HERE, 'Tidy up', undefined]);
  });

  it('remove actions with their links, links and notes', () => {
    const draft = after(DRAFT, remove({ actions: ['guid-1'], notes: ['note 5'] }));
    expect([[...draft.actions.keys()], [...draft.links.keys()], draft.notes.size]).toEqual([
      ['guid-2', 'guid-3'],
      [TO_SEND],
      0,
    ]);
    expect(label(remove({ actions: ['guid-1', 'guid-2'], notes: ['note 5'] }))).toBe(
      'Remove 2 actions, 1 note',
    );
  });
});

describe('commands for notes', () => {
  it('add and change them', () => {
    const draft = after(DRAFT, addNote('one', HERE, 'n'), addNote('two', HERE), setNote('n', 'three'));
    expect([...draft.notes.values()].slice(1)).toEqual([
      { guid: 'n', content: 'three', position: HERE },
      { guid: expect.stringMatching(/^[0-9a-f]{32}$/), content: 'two', position: HERE },
    ]);
    expect([label(addNote('', HERE)), label(setNote('n', ''))]).toEqual(['Add a note', 'Change a note']);
  });
});

describe('commands for what is gone', () => {
  it.each([
    ['an option', setOption('gone', ['a'], 1)],
    ['options', setOptions('gone', {})],
    ['fields', setFields('gone', { disabled: true })],
    ['a name', rename('gone', 'x', { actions: new Map([['gone', {}]]), notes: new Map(), count: 1 })],
    ['a note', setNote('gone', 'x')],
    ['a place', move({ actions: new Map([['gone', HERE]]), notes: new Map([['gone', HERE]]) })],
    ['a part', remove({ actions: ['gone'], links: ['gone'], notes: ['gone'] })],
  ])('change nothing: %s', (_name, command) => {
    expect(after(DRAFT, command)).toEqual(DRAFT);
  });
});

describe('a copied fragment', () => {
  it('has what is chosen with the links inside, and nothing that only its story knows', () => {
    expect(copied(DRAFT, { actions: ['guid-2', 'guid-3'], notes: ['note 5'] })).toEqual({
      fabula: 'fragment',
      agents: [withoutId(action(2, 'Ask')), withoutId(action(3, 'Send'))],
      links: [{ source: 0, receiver: 1, link_type: 'failure' }],
      notes: [{ content: '# Triage', position: { x: 30, y: -60 } }],
    });
  });

  it('is pasted beside its source: guids and names of its own, in one step', () => {
    const fragment = copied(DRAFT, { actions: ['guid-2', 'guid-3'], notes: ['note 5'] });
    const { draft, label } = paste(
      fragment,
      { x: 10, y: 20 },
      counted(),
    )(after(DRAFT, remove({ actions: ['guid-3'] })));
    expect([...draft.actions].map(([key, { guid, name, position }]) => [key, guid, name, position])).toEqual([
      ['guid-1', 'guid-1', 'Receive', { x: 0, y: 90 }],
      ['guid-2', 'guid-2', 'Ask', { x: 0, y: 180 }],
      ['new-1', 'new-1', 'Ask 2', { x: 10, y: 200 }],
      ['new-2', 'new-2', 'Send', { x: 10, y: 290 }],
    ]);
    expect([...draft.links.values()].map(({ source, receiver }) => [source, receiver])).toEqual([
      ['guid-1', 'guid-2'],
      ['new-1', 'new-2'],
    ]);
    expect(draft.notes.get('new-3')).toEqual({
      guid: 'new-3',
      content: '# Triage',
      position: { x: 40, y: -40 },
    });
    expect(label).toBe('Paste 3 parts');
  });

  it('gives a webhook no address, so that the server makes one', () => {
    const options = { path: 'alerts', secret: 's', verbs: 'post' };
    const agents = [action(1, 'Hook', { type: 'Agents::WebhookAgent', options })];
    const draft = after(DRAFT, paste({ fabula: 'fragment', agents, links: [], notes: [] }, HERE, counted()));
    expect(draft.actions.get('new-1')?.options).toEqual({ verbs: 'post' });
  });

  it('may have two actions of one name and parts without a place', () => {
    const agents = [action(1, 'Ask'), action(2, 'ask!', { position: null })];
    const notes = [{ content: 'x', position: [1, 2] }, { content: 'y' }];
    const draft = after(DRAFT, paste({ fabula: 'fragment', agents, links: [], notes }, HERE));
    expect([...draft.actions.values()].slice(3).map(({ name, position }) => [name, position])).toEqual([
      ['Ask 2', { x: 5, y: 96 }],
      ['ask! 3', null],
    ]);
    expect([...draft.notes.values()].slice(1).map(({ position }) => position)).toEqual([[1, 2], undefined]);
  });
});
