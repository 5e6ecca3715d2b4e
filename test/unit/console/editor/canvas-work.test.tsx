import { waitFor } from '@testing-library/react';
import { api } from '../../../../src/console/api/console-api.js';
import type { CanvasScreen } from '../../../../src/console/canvas/focus/canvas-screen.js';
import { createDraftElements } from '../../../../src/console/canvas/draft-elements.js';
import { createCanvasWork } from '../../../../src/console/pages/editor/canvas/canvas-work.js';
import { copiedText, pasteText } from '../../../../src/console/pages/editor/canvas/clipboard.js';
import type { Editor } from '../../../../src/console/pages/editor/editor-context.js';
import { createViewStore } from '../../../../src/console/pages/editor/view-store.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import type { Command, Selection } from '../../../../src/console/story-model/story-draft.js';
import type { StoryGraph } from '../../../../clients/typescript/api.js';
import type { Fragment } from '../../../../src/console/story-model/fragment/fragment.js';
import { stepOf, stepOfNote } from '../../../../src/console/story-model/fragment/action-step.js';
import { GRAPH, TO_ASK } from '../story-model/drafts.js';

// Every browser has it; the environment of these tests has not.
globalThis.structuredClone ??= <Value,>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const EXPLODE = {
  id: 'explode',
  type: 'Agents::EventTransformationAgent',
  name: 'Ask',
  description: '',
  options: { mode: 'explode' },
};
const WEBHOOK = { ...EXPLODE, id: 'webhook', type: 'Agents::WebhookAgent', name: 'Webhook', options: {} };

/** Opens a canvas without a screen: its focus is a name. */
function open({
  chosen = {},
  focused,
  graph = GRAPH,
}: {
  chosen?: Selection;
  focused?: string;
  graph?: StoryGraph;
} = {}) {
  const store = createEditorStore({ graph, etag: '"7"' });
  const view = createViewStore(chosen);
  let focus = focused;
  const screen: CanvasScreen = {
    focus: (key) => (focus = key),
    focusAll: () => (focus = 'canvas'),
    focused: () => (focus === 'canvas' ? undefined : focus),
    middle: () => ({ x: 1_000, y: 1_000 }),
    placeAt: (point) => point,
    fit: () => undefined,
  };
  const editor = { store, view, readOnly: undefined, storyId: 12 } as Editor;
  const run = (command: Command) => store.getState().run(command);
  const work = createCanvasWork({ editor, run, elements: createDraftElements(), screen, cursor: undefined });
  const { draft, history, undo } = store.getState();
  return {
    work,
    actions: () => [...store.getState().draft.actions.values()],
    names: () => [...store.getState().draft.actions.values()].map(({ name }) => name),
    placeOf: (name: string) =>
      [...store.getState().draft.actions.values()].find((each) => each.name === name)?.position,
    links: () => {
      const { actions, links } = store.getState().draft;
      const nameOf = (key: string) => actions.get(key)?.name;
      return [...links.values()].map(({ source, receiver }) => `${nameOf(source)} > ${nameOf(receiver)}`);
    },
    steps: () => store.getState().history.past.length - history.past.length,
    isAsBefore: () =>
      JSON.stringify([...store.getState().draft.actions]) === JSON.stringify([...draft.actions]),
    undo,
    focus: () => focus,
    chosen: () => view.getState().selection,
    said: () => view.getState().said.text,
  };
}

const found = (name: string, payload: string) => ({
  count: 2,
  agents: [
    { index: 0, guid: null, name, options: { payload: 'x' } },
    { index: 1, guid: null, name: 'Use', options: { payload } },
  ],
  notes: [],
});

describe('work on the canvas', () => {
  it('adds an action below the chosen one, linked, under a free name, in one step', () => {
    const { work, names, links, placeOf, steps, chosen, focus, undo, isAsBefore } = open({
      focused: 'guid-2',
    });
    work.add(EXPLODE);
    expect(names().at(-1)).toBe('Ask 2');
    expect(links()).toContain('Ask > Ask 2');
    // Send stands below Ask already.
    expect(placeOf('Ask 2')).toEqual({ x: 240, y: 300 });
    expect([steps(), chosen().actions]).toEqual([1, [focus()]]);
    undo();
    expect(isAsBefore()).toBe(true);
  });

  it('adds a webhook without a link, and what is dragged to a place there', () => {
    const { work, links, placeOf } = open({ focused: 'guid-3' });
    work.add(WEBHOOK);
    work.add(EXPLODE, { at: { x: 604, y: 601 } });
    expect(links()).toEqual(['Receive > Ask', 'Ask > Send']);
    expect(placeOf('Ask 2')).toEqual({ x: 600, y: 600 });
  });

  it('adds in the middle of what is in view where nothing is chosen', () => {
    const { work, placeOf, links } = open();
    work.add(EXPLODE);
    expect(placeOf('Ask 2')).toEqual({ x: 900, y: 975 });
    expect(links()).toHaveLength(2);
  });

  it('links behind the port from which a link was dragged', () => {
    const { work, links } = open();
    work.add(EXPLODE, { at: { x: 600, y: 0 }, behind: { source: 'guid-1', kind: 'FAILURE' } });
    expect(links()).toContain('Receive > Ask 2');
  });

  it('removes what has the focus, and hands the focus on', () => {
    const { work, names, focus, chosen } = open({ chosen: { actions: ['guid-1'] }, focused: 'guid-2' });
    work.remove();
    expect([names(), focus(), chosen().actions]).toEqual([['Receive', 'Send'], 'guid-1', []]);
  });

  it('removes all that is chosen where the focus is on one of it, links included', () => {
    const { work, names, links } = open({ chosen: { actions: ['guid-2', 'guid-3'] }, focused: 'guid-3' });
    work.remove();
    expect([names(), links()]).toEqual([['Receive'], []]);
    const other = open({ chosen: { links: [TO_ASK] } });
    other.work.remove();
    expect([other.links(), other.focus()]).toEqual([['Ask > Send'], 'canvas']);
  });

  it('says that there is such a link already', () => {
    const { work, said, links } = open();
    work.link('guid-1', 'guid-2', 'DEFAULT');
    expect([said(), links().length]).toEqual(['This link already exists.', 2]);
  });

  it('duplicates beside, and selects the copies', () => {
    const { work, names, chosen, steps } = open({
      chosen: { actions: ['guid-2', 'guid-3'], notes: ['note 5'] },
    });
    work.duplicate();
    expect(names().slice(3)).toEqual(['Ask 2', 'Send 2']);
    expect([chosen().actions.length, chosen().notes.length, steps()]).toEqual([2, 1, 1]);
  });

  it('moves by steps, all in one until something else is done', () => {
    const { work, placeOf, steps } = open({ focused: 'guid-2' });
    work.nudge('right', 1);
    work.nudge('down', 4);
    expect([placeOf('Ask'), steps()]).toEqual([{ x: 15, y: 240 }, 1]);
  });

  it('gives all actions a place as soon as one is moved', () => {
    const agents = GRAPH.agents.map((agent) => ({ ...agent, position: null }));
    const { work, placeOf, undo, isAsBefore } = open({ focused: 'guid-2', graph: { ...GRAPH, agents } });
    work.nudge('right', 2);
    expect([placeOf('Receive'), placeOf('Ask'), placeOf('Send')]).toEqual([
      { x: 0, y: 0 },
      { x: 30, y: 120 },
      { x: 0, y: 240 },
    ]);
    undo();
    expect(isAsBefore()).toBe(true);
  });

  it('tidies up the selection alone, or all', () => {
    const { work, placeOf, steps } = open({ chosen: { actions: ['guid-2', 'guid-3'] } });
    work.tidy();
    expect([placeOf('Ask'), placeOf('Send'), steps()]).toEqual([{ x: 0, y: 180 }, { x: 0, y: 300 }, 1]);
    work.choose({});
    work.tidy();
    expect([placeOf('Receive'), placeOf('Ask')]).toEqual([
      { x: 0, y: 90 },
      { x: 0, y: 210 },
    ]);
  });

  it('follows links, and selects along the way', () => {
    const { work, focus, chosen } = open({ focused: 'guid-1' });
    work.go('down');
    work.extend('down');
    expect([focus(), chosen().actions]).toEqual(['guid-3', ['guid-2', 'guid-3']]);
    work.toggle();
    expect(chosen().actions).toEqual(['guid-2']);
    work.goTo('entries');
    expect(focus()).toBe('guid-1');
    work.chooseAll();
    expect([chosen().actions.length, chosen().notes.length]).toEqual([3, 1]);
  });
});

const optionsOf = ({ actions }: ReturnType<typeof open>, name: string) =>
  actions().find((each) => each.name === name)?.options;

describe('the clipboard', () => {
  it('takes parts to another story, where they lie over nothing', async () => {
    const text = copiedText(open({ chosen: { actions: ['guid-2', 'guid-3'] } }).work, false) ?? '';
    const other = open();
    await pasteText(other.work, text, { x: 0, y: 180 });
    expect(other.names()).toEqual(['Receive', 'Ask', 'Send', 'Ask 2', 'Send 2']);
    expect(other.placeOf('Ask 2')).toEqual({ x: 240, y: 180 });
    expect(other.links()).toContain('Ask 2 > Send 2');
    expect(other.steps()).toBe(1);
  });

  describe('with references between its parts', () => {
    const agents = ['Ask', 'Use'].map((name) => ({
      type: 'Agents::EventTransformationAgent',
      name,
      options: { payload: name === 'Use' ? '<<ask.text>>' : 'x' },
    }));
    const text = JSON.stringify({ agents, links: [{ source: 0, receiver: 1 }] });
    afterEach(() => jest.restoreAllMocks());

    it('follows the names that the parts get, in one step', async () => {
      const preview = jest.spyOn(api.stories, 'renamesPreview').mockResolvedValue({
        count: 2,
        agents: [
          { index: 0, guid: null, name: 'Ask 2', options: { payload: 'x' } },
          { index: 1, guid: null, name: 'Use', options: { payload: '<<ask_2.text>>' } },
        ],
        notes: [],
      });
      const canvas = open();
      await pasteText(canvas.work, text, undefined);
      await waitFor(() => expect(canvas.names()).toEqual(['Receive', 'Ask', 'Send', 'Ask 2', 'Use']));
      expect(preview).toHaveBeenCalledWith(
        expect.objectContaining({ story_id: 12, renames: [{ index: 0, name: 'Ask 2' }] }),
      );
      expect([optionsOf(canvas, 'Use'), canvas.steps()]).toEqual([{ payload: '<<ask_2.text>>' }, 1]);
      canvas.undo();
      expect(canvas.isAsBefore()).toBe(true);
    });

    it('follows other names where the first ones are taken by the time of the response', async () => {
      jest
        .spyOn(api.stories, 'renamesPreview')
        .mockResolvedValueOnce(found('Ask 2', '<<ask_2.text>>'))
        .mockResolvedValueOnce(found('Ask 2', '<<ask_2.text>>'))
        .mockResolvedValueOnce(found('Ask 3', '<<ask_3.text>>'));
      const canvas = open();
      await Promise.all([1, 2].map(() => pasteText(canvas.work, text, undefined)));
      await waitFor(() => expect(canvas.names().slice(3)).toEqual(['Ask 2', 'Use', 'Ask 3', 'Use 2']));
      expect([optionsOf(canvas, 'Use'), optionsOf(canvas, 'Use 2')]).toEqual([
        { payload: '<<ask_2.text>>' },
        { payload: '<<ask_3.text>>' },
      ]);
    });

    it('pastes without it where the server cannot be asked, and says so', async () => {
      jest.spyOn(api.stories, 'renamesPreview').mockRejectedValue(new Error('No connection.'));
      const canvas = open();
      await pasteText(canvas.work, text, undefined);
      await waitFor(() => expect(canvas.said()).toMatch(/were not changed.*No connection/));
      expect([optionsOf(canvas, 'Use'), canvas.steps()]).toEqual([{ payload: '<<ask.text>>' }, 1]);
    });
  });

  it('takes an export without a layout, and puts it in ranks', async () => {
    const { work, placeOf } = open();
    const agents = ['One', 'Two'].map((name) => ({ type: 'Agents::TriggerAgent', name, options: {} }));
    await pasteText(work, JSON.stringify({ agents, links: [{ source: 0, receiver: 1 }] }), {
      x: 900,
      y: 900,
    });
    expect([placeOf('One'), placeOf('Two')]).toEqual([
      { x: 900, y: 900 },
      { x: 900, y: 1_020 },
    ]);
  });

  it('says why a text cannot be pasted, and holds nothing where nothing is chosen', async () => {
    const { work, said, isAsBefore } = open();
    await pasteText(work, 'hello', undefined);
    expect([said(), isAsBefore()]).toEqual(['The clipboard has no actions of a story.', true]);
    expect(copiedText(work, false)).toBeUndefined();
  });
});

const stepMark = (action: string) => ({ guid: 's'.repeat(32), version: 2, action });

const stepOfTwo = (names: [string, string]): Fragment => ({
  fabula: 'fragment',
  agents: names.map((name, at) => ({
    type: 'Agents::EventTransformationAgent',
    name,
    options: { mode: 'message_only', payload: {} },
    position: { x: 0, y: at * 150 },
    fabula_step: stepMark(`${at}`),
  })),
  links: [{ source: 0, receiver: 1 }],
  notes: [],
});

describe('stories as software: a step on the canvas', () => {
  it('is inserted behind an action, as one use of its own and one change', () => {
    const { work, links, actions, steps, undo, isAsBefore } = open();
    work.insert(stepOfTwo(['Look up', 'Pick']), undefined, { source: 'guid-3', kind: 'DEFAULT' });
    expect(links()).toEqual(['Receive > Ask', 'Ask > Send', 'Look up > Pick', 'Send > Look up']);
    expect(steps()).toBe(1);
    const marks = actions().flatMap((action) => stepOf(action) ?? []);
    expect(marks.map(({ action, version }) => [action, version])).toEqual([
      ['0', 2],
      ['1', 2],
    ]);
    const [first, second] = marks.map(({ use }) => use);
    expect([first, first?.length]).toEqual([second, 32]);
    undo();
    expect(isAsBefore()).toBe(true);
  });

  it('has its notes in the same use', () => {
    const { work, actions } = open();
    const note = {
      content: 'Why',
      position: { x: 0, y: 300 },
      fabula_step: { guid: 's'.repeat(32), note: 'n' },
    };
    work.insert({ ...stepOfTwo(['Look up', 'Pick']), notes: [note] }, undefined, undefined);
    const [use] = actions().flatMap((action) => stepOf(action)?.use ?? []);
    const [, inserted] = work.draft().notes.values();
    expect(inserted && stepOfNote(inserted)).toEqual({ guid: 's'.repeat(32), note: 'n', use });
  });

  it('is another use once it is copied', () => {
    const { work, actions } = open();
    work.insert(stepOfTwo(['Look up', 'Pick']), undefined, undefined);
    work.duplicate();
    const uses = actions().flatMap((action) => stepOf(action)?.use ?? []);
    expect(uses).toHaveLength(4);
    expect(uses[0]).toBe(uses[1]);
    expect(uses[2]).toBe(uses[3]);
    expect(uses[0]).not.toBe(uses[2]);
  });

  it('is saved with the places where its actions are drawn, and no sizes', () => {
    const agents = GRAPH.agents.map((agent) => ({ ...agent, position: null }));
    const { work } = open({ graph: { ...GRAPH, agents }, chosen: { actions: ['guid-2'] } });
    const places = work.copied().agents.map(({ position }) => Object.keys(position ?? {}));
    expect(places).toEqual([['x', 'y']]);
  });
});
