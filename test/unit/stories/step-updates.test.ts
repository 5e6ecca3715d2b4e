import type { JsonObject } from '../../../src/platform/json.js';
import { objectOfLines } from '../../../src/platform/json/json-lines.js';
import { atOnce } from '../../../src/platform/steps.js';
import type { StepUpdateLists } from '../../../src/stories/steps/updates/update-story-task.js';
import { updateFromStep } from '../../../src/stories/steps/updates/update-story-task.js';

const STEP = 's'.repeat(32);
type Names = Record<string, { name: string; payload: JsonObject; version?: number; use?: string }>;
const TYPE = 'Agents::EventTransformationAgent';

/** A version of a step: its actions by their keys, each linked to the next. */
const contentOf = (actions: Names): string =>
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
    notes: [],
  });

/** The text of a snapshot of a story that has these actions of the step. Its guids are `in-` and the key. */
const storyOf = (actions: Names): string => {
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
      extra: { agents: null },
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

function update(story: string, contents: [number, string][], version: number) {
  const work = { story, language: 'formula' as const, stepGuid: STEP, contents, version, choices: [] };
  const { story: lines, lists } = updateFromStep(work);
  const merged = atOnce(objectOfLines(lines)) as unknown as {
    agents: { columns: { name: string; options: { payload: JsonObject } }; extra: JsonObject }[];
  };
  return {
    ...(JSON.parse(lists) as StepUpdateLists),
    payloads: Object.fromEntries(merged.agents.map(({ columns }) => [columns.name, columns.options.payload])),
    marks: merged.agents.map(({ extra }) => extra['fabula_step']),
  };
}

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
});
