import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { applied, changesBetween } from '../../../../src/console/story-model/changes/draft-changes.js';
import {
  finished,
  type Journal,
  NO_HISTORY,
  recorded,
  redone,
  undone,
} from '../../../../src/console/story-model/draft-history.js';
import { connect } from '../../../../src/console/story-model/commands/link-commands.js';
import { addNote } from '../../../../src/console/story-model/commands/note-commands.js';
import { move, remove } from '../../../../src/console/story-model/commands/selection-commands.js';
import type { Command } from '../../../../src/console/story-model/story-draft.js';
import { LongNumber } from '../../../../src/console/text/exact-json.js';
import { after, DRAFT } from './drafts.js';

const START: Journal = { draft: DRAFT, history: NO_HISTORY };
const did = (start: Journal, ...commands: Command[]) =>
  commands.reduce((journal, command) => recorded(journal, command(journal.draft)), start);
const dragged = (key: string, x: number) => move({ actions: new Map([[key, { x, y: 0 }]]) });
const labels = ({ history }: Journal) => history.past.map(({ label }) => label);
const x = ({ draft }: Journal) => draft.actions.get('guid-2')?.position?.x;

const text = (value: unknown) => after(DRAFT, setOption('guid-2', ['n'], value));
const count = (from: unknown, to: unknown) => changesBetween(text(from), text(to)).actions.length;

describe('the steps of a draft', () => {
  it('are taken back and made again, in order', () => {
    const end = did(START, remove({ actions: ['guid-2'] }), addNote('x', { x: 0, y: 0 }, 'n'));
    const back = undone(undone(end));
    expect(back.draft).toEqual(DRAFT);
    expect([...back.draft.actions.keys()]).toEqual([...DRAFT.actions.keys()]);
    expect([...back.draft.links.keys()]).toEqual([...DRAFT.links.keys()]);
    expect(redone(redone(back)).draft).toEqual(end.draft);
    expect(labels(redone(back))).toEqual(['Remove Ask']);
  });

  it('are none where nothing was done or taken back', () => {
    expect(undone(START)).toEqual(START);
    expect(redone(START)).toEqual(START);
    expect(finished(START)).toEqual(START);
  });

  it('leave out what changes nothing, and then still can be made again', () => {
    const back = undone(did(START, dragged('guid-2', 5)));
    const same = did(
      back,
      setOption('guid-2', ['payload', 'text'], '{{ .Ask }}'),
      connect('guid-1', 'guid-2'),
    );
    expect(same.draft).toBe(back.draft);
    expect(x(redone(same))).toBe(5);
  });

  it('forget what was taken back as soon as something else is done', () => {
    const other = did(undone(did(START, dragged('guid-2', 5))), dragged('guid-3', 5));
    expect(redone(other)).toEqual(other);
  });

  it('are one for all the moves of a drag', () => {
    const end = did(START, dragged('guid-2', 1), dragged('guid-2', 2), dragged('guid-2', 3));
    expect([labels(end), x(end)]).toEqual([['Move Ask'], 3]);
    expect(undone(end).draft).toEqual(DRAFT);
    expect(x(redone(undone(end)))).toBe(3);
  });

  it('are several for several drags, and for those of other actions', () => {
    const end = did(finished(did(START, dragged('guid-2', 1))), dragged('guid-2', 2), dragged('guid-3', 1));
    expect(labels(end)).toEqual(['Move Ask', 'Move Ask', 'Move Send']);
    expect(x(undone(undone(end)))).toBe(1);
  });

  it('do not grow once they were taken back or made again', () => {
    const twice = did(finished(did(START, dragged('guid-2', 1))), dragged('guid-2', 2));
    expect(labels(did(undone(twice), dragged('guid-2', 3)))).toEqual(['Move Ask', 'Move Ask']);
    expect(labels(did(redone(undone(twice)), dragged('guid-2', 3)))).toHaveLength(3);
  });

  it('are none for a drag that ends where it began', () => {
    const end = did(
      START,
      dragged('guid-2', 1),
      dragged('guid-2', 0),
      move({ actions: new Map([['guid-2', { x: 0, y: 180 }]]) }),
    );
    expect([labels(end), end.draft]).toEqual([[], DRAFT]);
  });
});

describe('changes of a draft', () => {
  it('see other digits of a long number, and another order of keys', () => {
    const [one, other] = [new LongNumber('12345678901234567890'), new LongNumber('12345678901234567891')];
    expect(count(one, new LongNumber(one.text))).toBe(0);
    expect(count(one, other)).toBe(1);
    expect(count(one, 1)).toBe(1);
    expect(count([1], { 0: 1 })).toBe(1);
    expect(count({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(1);
    expect(count({ a: 1 }, { a: 1, b: 2 })).toBe(1);
  });

  it('leave out what is gone from another draft, and links whose actions are gone', () => {
    const changes = changesBetween(
      DRAFT,
      after(DRAFT, dragged('guid-3', 5), dragged('guid-2', 5), connect('guid-2', 'guid-3')),
    );
    const other = applied(after(DRAFT, remove({ actions: ['guid-3'] })), changes);
    expect([...other.actions].map(([key, { position }]) => [key, position?.x])).toEqual([
      ['guid-1', 0],
      ['guid-2', 5],
    ]);
    expect([...other.links.values()].map(({ receiver }) => receiver)).toEqual(['guid-2']);
  });
});
