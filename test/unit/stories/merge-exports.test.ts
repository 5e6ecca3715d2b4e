import { assert, constantFrom, integer, array, property, record } from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { stringifyJson } from '../../../src/platform/json/exact-number.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import {
  agentsOf,
  mergeExports,
  portableStory,
  withHiddenTexts,
  withKnownGuids,
} from '../../../src/stories/face.js';
import { storyOf } from '../../support/stories.js';

const guidOf = (at: number) => String(at).padStart(32, 'a');

/** A story of five actions in a row, each with three values. */
function base(): JsonObject {
  const names = ['A', 'B', 'C', 'D', 'E'];
  const values = { one: 'first\nsecond', two: 2, three: [1, 2, 3] };
  return {
    schema_version: 30,
    name: 'Base',
    description: 'Text',
    guid: guidOf(99),
    agents: names.map((name, at) => ({
      type: 'Agents::EventTransformationAgent',
      name,
      guid: guidOf(at),
      options: { mode: 'message_only', payload: { ...values } },
    })),
    links: names.slice(1).map((_, at) => ({ source: at, receiver: at + 1 })),
    keep_events_for: 604_800,
    disabled: false,
    tags: ['a'],
    diagram_layout: stringifyJson(Object.fromEntries(names.map((_, at) => [guidOf(at), [0, at]]))),
  };
}

interface Edit {
  kind: 'option' | 'name' | 'add' | 'setting' | 'title' | 'link' | 'disable';
  at: number;
  key: string;
  value: number;
}

const edits = array(
  record<Edit>({
    kind: constantFrom('option', 'option', 'name', 'add', 'setting', 'title', 'link', 'disable'),
    at: integer({ min: 0, max: 4 }),
    key: constantFrom('one', 'two', 'three', 'four'),
    value: integer({ min: 0, max: 3 }),
  }),
  { maxLength: 5 },
);

/** Changes a story, and returns what each change has written: the place with its value. */
function edited(side: string, list: Edit[]): { story: JsonObject; wrote: Map<string, JsonValue> } {
  const story = base() as JsonObject & {
    agents: (JsonObject & { options: { payload: JsonObject } })[];
    links: JsonObject[];
  };
  const wrote = new Map<string, JsonValue>();
  for (const { kind, at, key, value } of list) {
    const agent = story.agents[at]!;
    if (kind === 'option') wrote.set(`${at}.${key}`, (agent.options.payload[key] = `${key} ${value}`));
    if (kind === 'name') wrote.set(`${at}.name`, (agent.name = `Name ${value}`));
    if (kind === 'setting') wrote.set('description', (story.description = `Text ${value}`));
    if (kind === 'title') wrote.set('name', (story.name = `Story ${value}`));
    if (kind === 'disable') wrote.set('disabled', (story.disabled = value > 1));
    if (kind === 'link') {
      story.links.push({ source: 4, receiver: at });
      wrote.set(`link ${at}`, true);
    }
    if (kind === 'add') {
      const guid = `${side}${value}`.padStart(32, '0');
      if (story.agents.some((each) => each.guid === guid)) continue;
      const options = { mode: 'message_only', payload: { side } };
      story.agents.push({
        type: 'Agents::EventTransformationAgent',
        name: `New ${side} ${value}`,
        guid,
        options,
      });
      wrote.set(`new ${guid}`, true);
    }
  }
  return { story, wrote };
}

/** Returns what a story has at each place of `edited`. */
function valueAt(story: JsonObject, place: string): JsonValue | undefined {
  const agents = agentsOf(story);
  const [first = '', second = ''] = place.split(/[. ]/);
  if (first === 'new') return agents.some(({ guid }) => guid === second);
  if (first === 'link') {
    const position = (guid: string) => agents.findIndex((each) => each.guid === guid);
    const [source, receiver] = [position(guidOf(4)), position(guidOf(Number(second)))];
    return (story.links as JsonObject[]).some((link) => link.source === source && link.receiver === receiver);
  }
  if (second === '') return story[first];
  const agent = agents.find(({ guid }) => guid === guidOf(Number(first)));
  if (second === 'name') return agent?.name;
  const { payload } = (agent?.options ?? {}) as JsonObject;
  return ((payload ?? {}) as JsonObject)[second];
}

function isAt(story: JsonObject, place: string, value: JsonValue): boolean {
  return stringifyJson(valueAt(story, place) ?? null) === stringifyJson(value);
}

const option = (value: number): Edit => ({ kind: 'option', at: 1, key: 'one', value });

describe('stories as software: files and server have changed a story', () => {
  it('loses no change of either side: each is in the result, or a conflict names it', () => {
    assert(
      property(edits, edits, (theirs, ours) => {
        const [live, files] = [edited('a', theirs), edited('b', ours)];
        const { story, conflicts } = mergeExports({ base: base(), live: live.story, files: files.story });

        const lost = [...live.wrote, ...files.wrote].filter(
          ([place, value]) => !isAt(story, place, value) && !isAt(base(), place, value),
        );
        if (conflicts.length === 0) expect(lost).toEqual([]);
        for (const [place, value] of lost) {
          // The other side has changed the same place.
          expect(stringifyJson(conflicts as unknown as JsonValue)).toContain(stringifyJson(value));
          expect([live, files].every(({ wrote }) => wrote.has(place))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is the other side, if one has changed nothing', () => {
    assert(
      property(edits, (list) => {
        const { story } = edited('a', list);
        const ofFiles = mergeExports({ base: base(), live: base(), files: story });
        const ofServer = mergeExports({ base: base(), live: story, files: base() });
        expect(ofFiles.conflicts).toEqual([]);
        expect(ofServer).toEqual(ofFiles);
        expect(withoutOrder(ofFiles.story)).toEqual(withoutOrder(story));
      }),
    );
  });

  it('takes the side that is asked for in conflicts', () => {
    const states = {
      base: base(),
      live: edited('a', [option(1)]).story,
      files: edited('b', [option(2)]).story,
    };

    expect(mergeExports(states).conflicts).toMatchObject([{ action: 'B', path: 'options.payload.one' }]);
    expect(valueAt(mergeExports(states, 'live').story, '1.one')).toBe('one 1');
    expect(valueAt(mergeExports(states, 'draft').story, '1.one')).toBe('one 2');
    expect(mergeExports({ ...states, base: undefined }).conflicts).toHaveLength(1);
  });
});

/** Positions of a layout are numbers of places; their order is nothing. */
function withoutOrder(story: JsonObject): JsonObject {
  const { diagram_layout: layout, ...rest } = story;
  return { ...rest, layout: parseJson(layout as string) };
}

const live = () => portableStory(withSecret());
const withSecret = (): JsonObject => {
  const story = storyOf(
    {
      Receive: ['Webhook', { path: 'in', secret: 'very secret word', verbs: 'post' }],
      Ask: [
        'HTTPRequest',
        {
          url: 'https://f.example/webhook/in/very%20secret',
          note: 'https://f.example/webhook/in/very-secret-word and more',
          method: 'get',
        },
      ],
    },
    ['Receive > Ask'],
  );
  agentsOf(story).forEach((agent, at) => (agent.guid = guidOf(at)));
  return { ...story, exported_at: '2026-11-30T10:00:00Z' };
};

describe('stories as software: a story that was written by hand', () => {
  it('is known again by types and names, with its webhook addresses', () => {
    const written = structuredClone(live());
    for (const agent of agentsOf(written)) delete agent.guid;
    (agentsOf(written)[0]!.options as JsonObject).path = 'other';
    const more = { type: 'Agents::TriggerAgent', name: 'New', guid: 'not a guid', options: {} };
    (written.agents as JsonValue[]).unshift(more);
    written.exit_agent_guids = ['not a guid'];

    const { story, moved } = withKnownGuids(written, live(), undefined);

    expect(agentsOf(story).map(({ name, guid }) => [name, guid])).toEqual([
      ['New', 'not a guid'],
      ['Receive', guidOf(0)],
      ['Ask', guidOf(1)],
    ]);
    expect(agentsOf(story)[1]?.options).toMatchObject({ path: 'in', secret: '[hidden]' });
    expect(moved).toEqual(['Receive']);
  });

  it('has no secrets in its files, and gets them again from the server', () => {
    const hidden = live();

    expect(stringifyJson(hidden)).not.toMatch(/very.{0,3}secret/);
    expect(hidden).not.toHaveProperty('exported_at');
    const { story, lost } = withHiddenTexts(hidden, withSecret());
    expect(lost).toEqual([]);
    expect((agentsOf(story)[1]!.options as JsonObject).note).toBe(
      'https://f.example/webhook/in/very-secret-word and more',
    );
    (agentsOf(hidden)[1]!.options as JsonObject).note = 'https://f.example/webhook/in/[hidden] changed';
    expect(withHiddenTexts(hidden, withSecret()).lost).toEqual([
      'https://f.example/webhook/in/[hidden] changed',
    ]);
  });
});

function tested(...tests: JsonObject[]): JsonObject {
  return { ...base(), fabula_tests: tests };
}

describe('stories as software: a test that is renamed on one side', () => {
  const before = { name: 'Old name', action: 'A', event: { n: 1 }, expect: {} };
  const renamed = { ...before, name: 'New name' };

  it.each([
    ['the live story', tested(renamed), tested(before)],
    ['the files', tested(before), tested(renamed)],
  ])('has its new name alone, if %s renamed it', (_side, live, files) => {
    const { story, conflicts } = mergeExports({ base: tested(before), live, files });
    expect(conflicts).toEqual([]);
    expect(story.fabula_tests).toEqual([renamed]);
  });

  it('is a named conflict, if the other side changed what it expects', () => {
    const changed = { ...before, event: { n: 2 } };
    const { conflicts } = mergeExports({
      base: tested(before),
      live: tested(renamed),
      files: tested(changed),
    });
    expect(conflicts).toMatchObject([{ kind: 'test', live: null, draft: { event: { n: 2 } } }]);
    expect(stringifyJson(conflicts as unknown as JsonValue)).toContain('Old name');
  });
});
