import { assert as assertProperty, integer, jsonValue, property, dictionary, string } from 'fast-check';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { fieldPaths } from '../../../src/web/mcp/responses/response-form.js';
import { choiceOf, chosen, leadsSomewhere } from '../../../src/web/mcp/responses/chosen-fields.js';
import { holdsCutText, shortenedJson } from '../../../src/platform/json/shortened-json.js';
import { createRunningCalls } from '../../../src/web/mcp/running-calls.js';
import { OFFERED_OPERATIONS } from '../../../src/web/mcp/tool-list.js';
import { toolsOf } from '../../../src/web/mcp/tool.js';
import { ROUTES } from '../../../src/app/routes.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { stringifyJson } from '../../../src/platform/json/exact-number.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';

const shorten = (response: JsonObject, room: number, whole?: string) => {
  const short = shortenedJson(response, { room, whole });
  return { ...short, leftOut: Object.fromEntries(short.leftOut), cutTexts: [...short.cutTexts] };
};

const event = (id: number) => ({ id, name: 'Hook', payload: { body: 'x'.repeat(90_000), short: 'y' } });
const long = (id: number) => ({ id, text: 'x'.repeat(1_500) });

describe('a response that is too long', () => {
  it('shares its room among long texts; short ones stay whole', () => {
    const events = Array.from({ length: 6 }, (_, id) => event(id));
    const { value, cutTexts, leftOut } = shorten({ events, meta: { count: 6 } }, 60_000);
    const shown = value['events'] as ReturnType<typeof event>[];
    expect(shown.map(({ id, name, payload: { short } }) => [id, name, short])).toEqual(
      events.map(({ id }) => [id, 'Hook', 'y']),
    );
    expect(new Set(shown.map(({ payload }) => payload.body.length)).size).toBe(1);
    expect(shown[0]!.payload.body).toMatch(
      /^x{9000,}… \[truncated by Fabula; the full text has 90000 characters\]$/,
    );
    expect([cutTexts, leftOut, value['meta']]).toEqual([['events[].payload.body'], {}, { count: 6 }]);
    expect(stringifyJson(value).length).toBeGreaterThan(55_000);
  });

  it('keeps the first entries of long lists, whole', () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const { value, leftOut, cutTexts } = shorten({ rows, meta: { count: 1_000 } }, 5_000);
    const kept = value['rows'] as typeof rows;
    expect(kept).toEqual(rows.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(100);
    expect([leftOut, cutTexts]).toEqual([{ rows: 1_000 - kept.length }, []]);
  });

  it('leaves out entries of a list whose entries must be whole, and cuts none', () => {
    const { value, leftOut, cutTexts } = shorten({ list: [long(1), long(2), long(3)] }, 4_000, 'list');
    expect([value, leftOut, cutTexts]).toEqual([{ list: [long(1), long(2)] }, { list: 1 }, []]);
  });

  it('leaves out values of objects with very many, and long keys', () => {
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key ${n}`, n]));
    const { value, leftOut } = shorten({ payload: wide, ['k'.repeat(3_000)]: 1, last: true }, 2_000);
    expect(value).toMatchObject({ payload: { 'key 0': 0, 'key 1': 1 }, last: true });
    expect(leftOut['payload']).toBe(2_000 - Object.keys(value['payload'] as JsonObject).length);
    expect(leftOut['']).toBe(1);
  });

  it('cuts no character in two, and counts what JSON escapes', () => {
    const { value } = shorten(
      { a: '😀'.repeat(2_000), b: '\u0001'.repeat(2_000), c: '"'.repeat(2_000) },
      3_000,
    );
    expect(value['a']).toMatch(/^(?:😀)+… \[/u);
    expect(stringifyJson(value).length).toBeLessThanOrEqual(3_000);
    expect(holdsCutText(stringifyJson(value))).toBe(true);
  });

  it('keeps every digit, and the order of keys', () => {
    const response = parseJson(`{"z":1,"7":9007199254740993,"2":"${'x'.repeat(3_000)}"}`) as JsonObject;
    const text = stringifyJson(shorten(response, 1_000).value);
    expect(text).toMatch(/^\{"z":1,"7":9007199254740993,"2":"x+… /);
  });

  it('has never more characters than its room, whatever it is', () => {
    const responses = dictionary(string(), jsonValue({ maxDepth: 6, stringUnit: 'binary' }), { maxKeys: 40 });
    assertProperty(
      property(responses, integer({ min: 2, max: 2_000 }), (response, room) => {
        const given = parseJson(stringifyJson(response)) as JsonObject;
        const { value, cutTexts, leftOut } = shorten(given, room);
        const text = stringifyJson(value);
        expect(text.length).toBeLessThanOrEqual(room);
        const isWhole = cutTexts.length === 0 && Object.keys(leftOut).length === 0;
        if (isWhole) expect(text).toBe(stringifyJson(given));
      }),
      { numRuns: 300 },
    );
  });
});

const schema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    events: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { id: { type: 'integer' }, payload: {}, from: { $ref: '#/$defs/somewhere' } },
      },
    },
    meta: { type: 'object', additionalProperties: false, properties: { count: { type: 'integer' } } },
  },
};
const page = { schema, list: 'events' };
const response: JsonValue = {
  events: [
    { id: 1, payload: { a: 1, 'b.c': 2, deep: [{ x: 1, y: 2 }] } },
    { id: 2, payload: { a: 3 } },
  ],
  meta: { count: 2 },
};

describe('the fields of a response', () => {
  it.each([
    [['id'], { events: [{ id: 1 }, { id: 2 }], meta: { count: 2 } }],
    [['events.id'], { events: [{ id: 1 }, { id: 2 }], meta: { count: 2 } }],
    [
      ['payload.a', 'id'],
      {
        events: [
          { id: 1, payload: { a: 1 } },
          { id: 2, payload: { a: 3 } },
        ],
        meta: { count: 2 },
      },
    ],
    [
      ['payload.deep.x'],
      { events: [{ payload: { deep: [{ x: 1 }] } }, { payload: {} }], meta: { count: 2 } },
    ],
    [['payload.b.c'], { events: [{ payload: { 'b.c': 2 } }, { payload: {} }], meta: { count: 2 } }],
    [['meta.count'], { meta: { count: 2 } }],
    [['events'], response],
  ])('%j are those of the response or of its entries', (fields, expected) => {
    expect(chosen(response, choiceOf(fieldPaths(page, fields)))).toEqual(expected);
  });

  it.each(['colour', 'meta.colour', 'events.colour', '', '.', 'constructor', '__proto__'])(
    'are refused with those that there are: %j',
    (field) => {
      expect(() => fieldPaths(page, ['id', field])).toThrow(/"fields" contains .*Available: /);
    },
  );

  it('may lead to where no schema knows the names', () => {
    const paths = ['events.payload.a.b', 'events.from.x', 'meta'];
    expect(fieldPaths(page, ['payload.a.b', 'from.x'])).toEqual(paths);
  });

  it('that no entry has are told; an empty list tells nothing', () => {
    expect(leadsSomewhere(response, 'events.payload.nowhere')).toBe(false);
    expect(leadsSomewhere(response, 'events.payload.deep.y')).toBe(true);
    expect(leadsSomewhere({ events: [] }, 'events.payload.nowhere')).toBe(true);
  });
});

describe('the tools of all routes', () => {
  const tools = toolsOf(ROUTES);

  it('are operations that are there', () => {
    expect(tools.length).toBe(OFFERED_OPERATIONS.length);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it('cost an assistant little: no parameters and words without effect', () => {
    const told = JSON.stringify(
      tools.map(({ name, description, inputSchema, annotations }) => [
        name,
        description,
        inputSchema,
        annotations,
      ]),
    );
    // `fields` and `max_chars` take 11,000 of them.
    expect(told.length).toBeLessThan(113_500);
    expect(told).not.toContain('Accepted without effect');
    // Many clients keep these from their model. The whole schemas of the API would be 261,000.
    expect(JSON.stringify(tools.map(({ outputSchema }) => outputSchema)).length).toBeLessThan(29_000);
  });

  it('say whether they read, destroy or reach out', () => {
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(hints('list_stories')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints('delete_story')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints('import_story')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints('start_story_run')).toMatchObject({ destructiveHint: false, openWorldHint: true });
    const reading = tools.filter(({ annotations }) => annotations.readOnlyHint);
    expect(reading.filter(({ route }) => route.audit !== undefined)).toEqual([]);
  });

  it('say what they return, unless they return nothing, and take what a response is to be like', () => {
    for (const { name, route, shape, outputSchema, inputSchema } of tools) {
      expect([name, outputSchema !== undefined]).toEqual([name, route.status !== 204]);
      const names = Object.keys(inputSchema['properties'] as object);
      expect([name, names.includes('fields'), names.includes('max_chars')]).toEqual([
        name,
        ...(shape ? [true, true] : [false, false]),
      ]);
      // Headers are for programs.
      expect(names.filter((each) => /[A-Z-]/.test(each))).toEqual([]);
      const own = Object.keys((shape?.schema['properties'] ?? {}) as object);
      expect(own.filter((each) => ['shortened', 'fields_not_found'].includes(each))).toEqual([]);
      expect(JSON.stringify(outputSchema ?? {})).not.toContain('required');
    }
  });

  it('know the list of a page', () => {
    const lists = tools.filter(({ inQuery, name }) => inQuery.has('page') && name !== 'get_story_run');
    expect(lists.filter(({ shape }) => shape?.list === undefined)).toEqual([]);
    expect(tools.find(({ name }) => name === 'get_case')?.shape?.list).toBeUndefined();
    expect(tools.find(({ name }) => name === 'list_stories')?.shape?.list).toBe('stories');
  });

  it('agree with every example of a response, whole and shortened', () => {
    const validators = new AjvJsonSchemaValidator();
    for (const { name, route, outputSchema } of tools) {
      const example = route.docs?.example.response as JsonObject | undefined;
      if (outputSchema === undefined || example === undefined || Array.isArray(example)) continue;
      const validate = validators.getValidator(outputSchema);
      for (const room of [10_000, 700, 200, 20]) {
        const { valid, errorMessage } = validate(shorten(example, room).value);
        expect([name, room, valid, errorMessage]).toEqual([name, room, true, undefined]);
      }
    }
  });
});

describe('a call that runs', () => {
  const name = { keyId: 1, client: 'a', id: 7 };

  it('is cancelled by its own client, under its own id', () => {
    const calls = createRunningCalls();
    const call = calls.begin(name);
    for (const other of [
      { ...name, keyId: 2 },
      { ...name, client: 'b' },
      { ...name, id: '7' },
    ])
      expect(calls.cancel(other)).toBe(false);
    expect(call.cancelled.aborted).toBe(false);
    expect(calls.cancel(name)).toBe(true);
    expect(call.cancelled.reason).toMatchObject({ status: 400 });
    call.end();
    expect(calls.cancel(name)).toBe(false);
  });

  it('goes on if another has the same name', () => {
    const calls = createRunningCalls();
    const [first, second] = [calls.begin(name), calls.begin(name)];
    calls.cancel(name);
    expect([first.cancelled.aborted, second.cancelled.aborted]).toEqual([false, false]);
    first.end();
    calls.cancel(name);
    expect(second.cancelled.aborted).toBe(true);
  });
});
