import { freeShift, tidied } from '../../../../src/console/canvas/canvas-layout.js';
import { createDraftElements, type DraftMarks } from '../../../../src/console/canvas/draft-elements.js';
import { endsOf, neighbourOf } from '../../../../src/console/canvas/neighbours.js';
import { NODE } from '../../../../src/console/canvas/nodes/sizes.js';
import {
  addAction,
  setFields,
  setOption,
} from '../../../../src/console/story-model/commands/action-commands.js';
import { connect } from '../../../../src/console/story-model/commands/link-commands.js';
import { disconnect, move } from '../../../../src/console/story-model/commands/selection-commands.js';
import { chosenAfter } from '../../../../src/console/pages/editor/canvas/chosen-parts.js';
import { action, after, DRAFT, TO_ASK, TO_SEND } from '../story-model/drafts.js';

const MARKS: DraftMarks = {
  chosen: {},
  contested: {},
  facts: new Map(),
  notRunnable: new Set(),
  missingIn: () => [],
};
const NOTHING: readonly string[] = [];
const QUIET = { ...MARKS, missingIn: () => NOTHING };
const to = (key: string, x: number, y: number) => move({ actions: new Map([[key, { x, y }]]) });

describe('the elements of a draft', () => {
  it('are the same objects until their part changes', () => {
    const elements = createDraftElements();
    const before = elements.nodes(DRAFT, QUIET);
    const draft = after(DRAFT, to('guid-2', 300, 300));
    const now = elements.nodes(draft, QUIET);
    expect(now.map((node, at) => node === before[at])).toEqual([true, true, false, true]);
    expect(now[2]?.position).toEqual({ x: 300, y: 300 });
    const chosen = elements.nodes(draft, { ...QUIET, chosen: { actions: ['guid-3'] } });
    expect(chosen.map((node, at) => node === now[at])).toEqual([true, true, true, false]);
    const links = elements.edges(DRAFT, QUIET);
    expect(elements.edges(draft, QUIET)).toEqual(links);
    expect(elements.edges(draft, QUIET)[0]).toBe(links[0]);
  });

  it('keep ranks while options change, and find them again for other links', () => {
    const bare = after(
      DRAFT,
      ...['guid-1', 'guid-2', 'guid-3'].map((key) => setFields(key, { position: undefined })),
    );
    const elements = createDraftElements();
    const before = elements.nodes(bare, QUIET);
    const typed = elements.nodes(after(bare, setOption('guid-2', ['a'], 1)), QUIET);
    expect(typed.map((node, at) => node === before[at])).toEqual([true, true, false, true]);
    const loose = elements.boxes(after(bare, disconnect(TO_SEND)));
    expect(loose.get('guid-3')).not.toEqual(elements.boxes(bare).get('guid-3'));
  });

  it('say what is missing, contested or failed', () => {
    const marks = {
      ...QUIET,
      contested: { actions: ['guid-2'] },
      facts: new Map([[2, { waiting: 0, failed: true, events: 3 }]]),
      missingIn: ({ name }: { name: string }) => (name === 'Ask' ? ['credential jira'] : NOTHING),
    };
    expect(createDraftElements().nodes(DRAFT, marks)[2]?.ariaLabel).toBe(
      'Ask, Trigger, failed, also changed by someone else, missing: credential jira',
    );
  });
});

describe('arrow keys', () => {
  const draft = after(
    DRAFT,
    addAction(action(4, 'Aside', { position: { x: 400, y: 180 } }), 'four'),
    connect('guid-1', 'four'),
  );
  const boxes = createDraftElements().boxes(draft);

  it.each([
    ['guid-1', 'down', 'guid-2'],
    ['guid-2', 'up', 'guid-1'],
    ['guid-2', 'right', 'four'],
    ['four', 'left', 'guid-2'],
    ['four', 'up', 'guid-1'],
    ['four', 'down', 'guid-3'],
    ['guid-1', 'up', 'note 5'],
    ['four', 'right', undefined],
    ['gone', 'down', undefined],
  ] as const)('lead from %s %s to %s', (from, way, expected) => {
    expect(neighbourOf(draft, boxes, from, way)).toBe(expected);
  });

  it('know where a story begins and ends, and take all of it where it does neither', () => {
    expect(endsOf(draft, boxes, 'entries')).toEqual(['guid-1']);
    expect(endsOf(draft, boxes, 'exits')).toEqual(['four', 'guid-3']);
    const round = after(DRAFT, connect('guid-3', 'guid-2'));
    expect(endsOf(round, boxes, 'exits')).toEqual(['guid-1', 'guid-2', 'guid-3']);
  });
});

const box = (x: number, y: number) => ({ x, y, ...NODE });

describe('places', () => {
  it('of a new action lie over nothing: beside, then below', () => {
    expect(freeShift([box(0, 0)], [], { x: 0, y: 0 })).toEqual({ x: 0, y: 0 });
    const beside = freeShift([box(0, 0)], [box(0, 0)], { x: 0, y: 0 });
    expect(beside).toEqual({ x: 240, y: 0 });
    const row = [-480, -240, 0, 240, 480, 720].map((x) => box(x, 0));
    expect(freeShift([box(0, 0)], row, { x: 0, y: 0 })).toEqual({ x: 0, y: NODE.height + 68 });
    const wall = Array.from({ length: 60 }, (_, at) => ({
      x: -2_000,
      y: at * 100,
      width: 9_000,
      height: 100,
    }));
    expect(freeShift([box(0, 0)], wall, { x: 0, y: 0 }).y).toBeGreaterThanOrEqual(6_000);
  });

  it('of tidied actions are in ranks, where the selection stood', () => {
    const places = tidied(DRAFT, createDraftElements().boxes(DRAFT), ['guid-2', 'guid-3', 'gone']);
    expect(Object.fromEntries(places)).toEqual({ 'guid-2': { x: 0, y: 180 }, 'guid-3': { x: 0, y: 300 } });
    expect(tidied(DRAFT, new Map(), [])).toEqual(new Map());
  });
});

describe('the selection', () => {
  it('follows what is chosen, and forgets what is gone', () => {
    const before = { actions: ['guid-1', 'gone'], notes: ['note 5'] };
    const choices = [
      { id: 'guid-2', selected: true },
      { id: TO_ASK, selected: true },
      { id: 'note 5', selected: false },
    ];
    expect(chosenAfter(DRAFT, before, choices)).toEqual({
      actions: ['guid-1', 'guid-2'],
      links: [TO_ASK],
      notes: [],
    });
  });
});
