import type { JsonObject } from '../../../src/platform/json.js';
import { objectOfLines } from '../../../src/platform/json/json-lines.js';
import { atOnce } from '../../../src/platform/steps.js';
import type { StepUpdateLists } from '../../../src/stories/steps/updates/update-story-task.js';
import { updateFromStep } from '../../../src/stories/steps/updates/update-story-task.js';

const STEP = 's'.repeat(32);
type Names = Record<string, { name: string; payload: JsonObject; version?: number; use?: string }>;
const TYPE = 'Agents::EventTransformationAgent';

/** A version of a step: its actions by their keys, each linked to the next. */
const contentOf = (actions: Names, notes: JsonObject[] = []): string =>
  JSON.stringify({
    agents: Object.entries(actions).map(([guid, { name, payload }]) => ({
      type: TYPE,
      name,
      guid,
      options: { mode: 'message_only', payload },
      position: { x: 0, y: 0 },
    })),
    links: Object.keys(actions)
      .slice(1)
      .map((_, at) => ({ source: at, receiver: at + 1 })),
    notes,
  });

/** The text of a snapshot of a story that has these actions of the step. Its guids are `in-` and the key. */
const storyOf = (actions: Names, notes?: JsonObject[]): string => {
  const keys = Object.keys(actions);
  return JSON.stringify({
    story: {
      id: 1,
      name: 'Story',
      description: null,
      guid: 'story',
      schema_version: 20,
      keep_events_for: 0,
      disabled: 0,
      priority: 0,
      synchronous_webhooks_enabled: 0,
      extra: { agents: null, ...(notes && { diagram_notes: notes }) },
    },
    agents: keys.map((key, index) => ({
      id: index + 1,
      type: TYPE,
      name: actions[key]!.name,
      guid: `in-${key}`,
      disabled: 0,
      options: { mode: 'message_only', payload: actions[key]!.payload },
      keep_events_for: 0,
      extra: {
        type: null,
        name: null,
        options: null,
        fabula_step: {
          guid: STEP,
          version: actions[key]!.version ?? 1,
          action: key.replace(/\d$/, ''),
          ...(actions[key]!.use !== undefined && { use: actions[key]!.use }),
        },
      },
    })),
    links: keys
      .slice(1)
      .map((_, at) => ({ sourceId: at + 1, receiverId: at + 2, linkType: null, extra: {} })),
  });
};

function update(
  story: string,
  contents: [number, string][],
  version: number,
  choices: [string, 'live' | 'draft'][] = [],
) {
  const work = { story, language: 'formula' as const, stepGuid: STEP, contents, version, choices };
  const { story: lines, lists } = updateFromStep(work);
  const merged = atOnce(objectOfLines(lines)) as unknown as {
    agents: { columns: { name: string; options: { payload: JsonObject } }; extra: JsonObject }[];
    extra: { diagram_notes?: JsonObject[] };
  };
  return {
    ...(JSON.parse(lists) as StepUpdateLists),
    payloads: Object.fromEntries(merged.agents.map(({ columns }) => [columns.name, columns.options.payload])),
    marks: merged.agents.map(({ extra }) => extra['fabula_step']),
    notes: merged.extra.diagram_notes,
  };
}

/** A note of a step. */
const note = (key: string, content: string, place = { x: 0, y: 100 }) => ({
  guid: key,
  content,
  position: place,
});

/** That note in a story. */
const placed = (key: string, content: string) => ({
  guid: `in-${key}`,
  content,
  position: [40, 400],
  fabula_step: { guid: STEP, note: key },
});

const storyWithNotes = (notes: number) =>
  storyOf(
    { ask: { name: 'Ask', payload: { host: '=start.host' } } },
    Array.from({ length: notes }, (_, at) => ({ guid: `n-${at}`, content: 'x', position: [0, 0] })),
  );

describe('stories as software: updates from a step', () => {
  const one = contentOf({
    ask: { name: 'Ask', payload: { host: '=start.host' } },
    use: { name: 'Use', payload: { found: '=ask.found', fixed: '=ask.host' } },
  });
  const two = contentOf({
    ask: { name: 'Ask again', payload: { host: '=start.host', retries: 3 } },
    use: {
      name: 'Use',
      payload: { found: '=ask_again.found', fixed: '=ask_again.host', more: '=ask_again.more' },
    },
  });

  it('tell why the story would be too large', () => {
    const ask = { ask: { name: 'Ask', payload: { host: '=start.host' } } };
    const contents: [number, string][] = [
      [1, contentOf(ask)],
      [2, contentOf(ask, [note('new', 'Mind the limit')])],
    ];
    expect(update(storyWithNotes(9_999), contents, 2).fault).toBeNull();
    expect(update(storyWithNotes(10_000), contents, 2).fault).toBe(
      'The step and the story together have 10001 notes, and a story can have 10000',
    );
  });

  it('follow the names of the story, also where two actions have exchanged theirs', () => {
    const story = storyOf({
      ask: { name: 'Use', payload: { host: '=start.host' } },
      use: { name: 'Ask', payload: { found: '=use.found', fixed: '=use.host' } },
    });
    const { conflictCount, local, payloads } = update(
      story,
      [
        [1, one],
        [2, two],
      ],
      2,
    );
    expect([conflictCount, local.map(({ path }) => path)]).toEqual([0, []]);
    expect(payloads).toEqual({
      Use: { host: '=start.host', retries: 3 },
      Ask: { found: '=use.found', fixed: '=use.host', more: '=use.more' },
    });
  });

  it('change nothing but the marks where the story has the content already', () => {
    const story = storyOf({
      ask: { name: 'Ask', payload: { host: '=start.host' } },
      use: { name: 'Use', payload: { found: '=ask.found', fixed: '=ask.host' } },
    });
    const { differences, conflictCount, current, marks } = update(
      story,
      [
        [1, one],
        [2, one],
      ],
      2,
    );
    expect([differences, conflictCount, current]).toEqual([[], 0, false]);
    expect(marks).toMatchObject([{ version: 2 }, { version: 2 }]);
    expect(update(story, [[1, one]], 1)).toMatchObject({ differences: [], local: [], current: true });
  });

  it('name each difference if the version is gone that the story took', () => {
    const story = storyOf({
      ask: { name: 'Ask', payload: { host: '=start.host' } },
      use: { name: 'Use', payload: { found: '=ask.found', fixed: '=ask.host' } },
    });
    const { conflicts } = update(story, [[2, two]], 2);
    expect(conflicts.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['options.payload.retries', 'options.payload.more']),
    );
  });

  it('take a copied action for a second use, and give that the same', () => {
    const story = storyOf({
      ask: { name: 'Ask', payload: { host: '=start.host' } },
      ask2: { name: 'Ask 2', payload: { host: '=other.host' } },
    });
    const single = contentOf({ ask: { name: 'Ask', payload: { host: '=start.host' } } });
    const more = contentOf({ ask: { name: 'Ask', payload: { host: '=start.host', retries: 3 } } });
    const { conflictCount, payloads } = update(
      story,
      [
        [1, single],
        [2, more],
      ],
      2,
    );
    expect(conflictCount).toBe(0);
    expect(payloads).toEqual({
      Ask: { host: '=start.host', retries: 3 },
      'Ask 2': { host: '=other.host', retries: 3 },
    });
  });

  it('leave away an action that the story has removed and the step has left alone', () => {
    const story = storyOf({ ask: { name: 'Ask', payload: { host: '=start.host' } } });
    const more = contentOf({
      ask: { name: 'Ask', payload: { host: '=start.host', retries: 3 } },
      use: { name: 'Use', payload: { found: '=ask.found', fixed: '=ask.host' } },
    });
    const { conflictCount, payloads } = update(
      story,
      [
        [1, one],
        [2, more],
      ],
      2,
    );
    expect([conflictCount, payloads]).toEqual([0, { Ask: { host: '=start.host', retries: 3 } }]);
  });

  it('are at an end for an action that the story keeps against the step', () => {
    const story = storyOf({
      ask: { name: 'Ask', payload: { host: '=start.host' } },
      use: { name: 'Use', payload: { mine: true } },
    });
    const less = contentOf({ ask: { name: 'Ask', payload: { host: '=start.host' } } });
    const versions: [number, string][] = [
      [1, one],
      [2, less],
    ];
    const [conflict] = update(story, versions, 2).conflicts;
    const kept = update(story, versions, 2, [[conflict?.entry ?? '', 'live']]);
    expect(kept.payloads).toEqual({ Ask: { host: '=start.host' }, Use: { mine: true } });
    expect(kept.marks).toMatchObject([{ version: 2 }, { version: 2 }]);
  });

  describe('of notes', () => {
    const actions: Names = { ask: { name: 'Ask', payload: {} } };
    const first = contentOf(actions, [note('why', 'Asks once'), note('who', 'Ada')]);
    const second = contentOf(actions, [note('why', 'Asks twice'), note('new', 'Mind the limit')]);
    const own = { guid: 'own', content: 'Mine', position: [1, 1] };
    const updated = (...notes: JsonObject[]) =>
      update(
        storyOf(actions, notes),
        [
          [1, first],
          [2, second],
        ],
        2,
      );

    it('change, add and remove those of the step, and leave places and other notes', () => {
      const { conflictCount, notes, differences } = updated(
        own,
        placed('why', 'Asks once'),
        placed('who', 'Ada'),
      );
      expect(conflictCount).toBe(0);
      expect(notes).toEqual([
        own,
        { ...placed('why', 'Asks twice') },
        {
          content: 'Mind the limit',
          guid: expect.stringMatching(/^[0-9a-f]{32}$/),
          position: [0, 100],
          fabula_step: { guid: STEP, note: 'new' },
        },
      ]);
      expect(differences.map(({ kind }) => kind)).toEqual(['note', 'note', 'note']);
    });

    it('keep what the story has removed, and name what both have changed', () => {
      const moved = updated(placed('why', 'Asks once'), { ...placed('who', 'Ada'), position: [9, 9] });
      expect([moved.conflictCount, moved.notes?.length]).toEqual([0, 2]);
      const without = updated(placed('why', 'Asks once'));
      expect([without.conflictCount, without.notes?.length]).toEqual([0, 2]);
      const both = updated(placed('why', 'Asks often'), placed('who', 'Ada'));
      expect(both.conflicts).toMatchObject([
        { kind: 'note', base: 'Asks once', live: 'Asks often', draft: 'Asks twice' },
      ]);
      const gone = updated(placed('who', 'Ada'));
      expect(gone.conflicts).toMatchObject([{ kind: 'note' }]);
    });

    it('know nothing of notes that are not of the step', () => {
      const { notes } = updated(own, {
        ...placed('why', 'Asks once'),
        fabula_step: { guid: 'x', note: 'why' },
      });
      expect(notes?.slice(0, 2).map(({ content }) => content)).toEqual(['Mine', 'Asks once']);
    });
  });
});
