import { type Account, buildAccount } from '../support/builders.js';
import { buildRecordType, fieldId, insertMany, routeOf, useRecordApi } from '../support/records.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useRecordApi(stores);
const PATH = '/api/v1/records';

const details = (body: { errors: { details?: string }[] }) => body.errors.map((error) => error.details);

async function scene(account?: Account) {
  const owner = account ?? (await buildAccount(stores.db));
  const type = await buildRecordType(api, owner);
  const field = (name: string) => fieldId(type, name);
  const list = (query: string, body?: unknown) => api.call(owner.key, 'GET', `${PATH}?${query}`, body);
  const insert = (rows: Parameters<typeof insertMany>[2]) => insertMany(stores, type, rows);
  /** The texts of what a query of this type finds. */
  const texts = async (query: string, body?: unknown) => {
    const response = await list(`record_type_id=${type.id}&${query}`, body);
    expect(response.status).toBe(200);
    return response.body.record_results.map((record: { Text: string }) => record.Text);
  };
  return { account: owner, type, field, list, insert, texts };
}

const long = (end: string) => 'é'.repeat(400) + end;
const named = (...names: string[]) => names.map((Text) => ({ values: { Text } }));

/** Gives records their time of creation. */
const createdAt = (id: number, time: string) =>
  stores.sql('UPDATE records SET created_at = ? WHERE id = ?', [new Date(time), id]);

describe('the list of records', () => {
  it('is flat, with typed values and the pagination object, key by key', async () => {
    const { type, list, insert } = await scene();
    const [id = 0, bare = 0] = await insert([
      {
        story: { id: 12, name: 'Phishing' },
        values: { Text: 'a', Number: 1.5, Time: '2026-11-21 10:00:00', Flag: false, Choice: 'red' },
      },
      { values: {} },
    ]);
    await createdAt(id, '2026-11-20T08:00:00.999Z');
    await createdAt(bare, '2026-11-20T07:00:00Z');
    const { status, body } = await list(`record_type_id=${type.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      record_results: [
        {
          id,
          'Story name': 'Phishing',
          Timestamp: '2026-11-20 08:00:00',
          Text: 'a',
          Number: 1.5,
          Time: '2026-11-21 10:00:00',
          Flag: false,
          Choice: 'red',
        },
        {
          id: bare,
          'Story name': null,
          Timestamp: '2026-11-20 07:00:00',
          Text: null,
          Number: null,
          Time: null,
          Flag: null,
          Choice: null,
        },
      ],
      meta: {
        current_page: `https://fabula.example${PATH}?record_type_id=${type.id}&page=1`,
        previous_page: null,
        next_page: null,
        next_page_number: null,
        per_page: 20,
        pages: 1,
        count: 2,
      },
    });
    expect(routeOf('get', PATH).docs?.response?.validate(body, { convert: false }).error).toBeUndefined();
  });

  it('has a limit of its own and real examples in its documentation', () => {
    const { limit, docs, query } = routeOf('get', PATH);
    expect(limit).toBe('records-list');
    expect(query?.validate(docs?.example.query).error).toBeUndefined();
  });

  it('shows the chosen columns, and takes the type from them', async () => {
    const { type, field, list, insert } = await scene();
    const other = await scene();
    await insert(named('a'));
    const chosen = await list(`record_field_ids[]=${field('Flag')}&record_field_ids[]=${field('Text')}`);
    expect(chosen.status).toBe(200);
    expect(chosen.body.record_results.map(Object.keys)).toEqual([
      ['id', 'Story name', 'Timestamp', 'Text', 'Flag'],
    ]);
    const one = await list(`record_type_id=${type.id}&record_field_ids=${field('Timestamp')}`);
    expect(one.body.record_results.map(Object.keys)).toEqual([['id', 'Story name', 'Timestamp']]);
    const mixed = await list(`record_field_ids[]=${field('Text')}&record_field_ids[]=${other.field('Text')}`);
    expect([mixed.status, details(mixed.body)]).toEqual([422, ['record_field_ids[1]']]);
    const foreign = await list(`record_type_id=${type.id}&record_field_ids[]=${other.field('Text')}`);
    expect([foreign.status, details(foreign.body)]).toEqual([422, ['record_field_ids[0]']]);
  });

  it('takes fields of two types of one team for a mistake', async () => {
    const first = await scene();
    const second = await scene(first.account);
    const { status, body } = await first.list(
      `record_field_ids=${first.field('Text')}&record_field_ids=${second.field('Text')}`,
    );
    expect([status, details(body)]).toEqual([422, ['record_field_ids[1]']]);
    expect(body.errors[0].message).toContain('another record type');
  });

  it('orders by creation, then id, in both directions and any letter case', async () => {
    const { insert, texts } = await scene();
    const [, , c = 0] = await insert(named('a', 'b', 'c'));
    await createdAt(c, '2020-01-01T00:00:00Z');
    expect(await texts('')).toEqual(['b', 'a', 'c']);
    expect(await texts('order_direction=asc')).toEqual(['c', 'a', 'b']);
    expect(await texts('order_direction=Desc')).toEqual(['b', 'a', 'c']);
  });

  it('orders by a field with empties last, ties by id, on every page', async () => {
    const { field, insert, texts } = await scene();
    await insert([
      { values: { Text: 'e1' } },
      { values: { Text: 'b', Number: 2 } },
      { values: { Text: 'a', Number: -10 } },
      { values: { Text: 'c', Number: 2 } },
      { values: { Text: 'e2' } },
    ]);
    const order = `order_field_id=${field('Number')}`;
    expect(await texts(`${order}&order_direction=ASC`)).toEqual(['a', 'b', 'c', 'e1', 'e2']);
    expect(await texts(order)).toEqual(['c', 'b', 'a', 'e2', 'e1']);
    expect(await texts(`${order}&per_page=2&page=2`)).toEqual(['a', 'e2']);
    expect(await texts(`${order}&per_page=2&page=3`)).toEqual(['e1']);
    expect(await texts(`${order}&per_page=4&page=2&order_direction=ASC`)).toEqual(['e2']);
    expect(await texts(`${order}&page=9`)).toEqual([]);
  });

  it('has the texts that contain a part in any letter case, also beyond the indexed bytes', async () => {
    const { type, field, texts, insert, list } = await scene();
    await insert([...named('Phishing mail', 'malware', '100%', long('TAIL')), { values: {} }]);
    const containing = (value: string) =>
      texts('', { filters: [{ field_id: field('Text'), operator: 'CONTAINS', value }] });
    expect(await containing('MA')).toEqual(['malware', 'Phishing mail']);
    expect(await containing('0%')).toEqual(['100%']);
    expect(await containing('tail')).toEqual([long('TAIL')]);
    expect(await containing('nowhere')).toEqual([]);
    const wrong = { field_id: field('Number'), operator: 'CONTAINS', value: '1' };
    const refused = await list(`record_type_id=${type.id}`, { filters: [wrong] });
    expect([refused.status, details(refused.body)]).toEqual([422, ['filters[0].operator']]);
  });

  it('has a start that counts in and an end that does not', async () => {
    const { insert, texts } = await scene();
    const ids = await insert(named('a', 'b', 'c'));
    for (const [index, id] of ids.entries()) await createdAt(id, `2026-11-0${index + 1}T00:00:00Z`);
    expect(await texts('range_start=2026-11-02T00:00:00Z')).toEqual(['c', 'b']);
    expect(await texts('range_end=2026-11-02T00:00:00Z')).toEqual(['a']);
    expect(await texts('range_start=2026-11-02&range_end=2026-11-03 00:00')).toEqual(['b']);
    expect(await texts('range_start=2026-11-02T02:00:00%2B02:00&range_end=2026-11-03T00:00:00.001Z')).toEqual(
      ['c', 'b'],
    );
  });

  it('is narrowed by stories; unknown ones match nothing', async () => {
    const { insert, texts } = await scene();
    await insert([
      { story: { id: 1, name: 'One' }, values: { Text: 'a' } },
      { story: { id: 2, name: 'Two' }, values: { Text: 'b' } },
      { values: { Text: 'c' } },
    ]);
    expect(await texts('story_ids[]=1&story_ids[]=2')).toEqual(['b', 'a']);
    expect(await texts('story_ids=2')).toEqual(['b']);
    expect(await texts('story_ids=777')).toEqual([]);
    expect(await texts('', { story_ids: [] })).toEqual(['c', 'b', 'a']);
  });

  it('holds live records, or those of test runs when asked', async () => {
    const { insert, texts } = await scene();
    await insert([{ values: { Text: 'live' } }, { testMode: true, values: { Text: 'test' } }]);
    expect(await texts('')).toEqual(['live']);
    expect(await texts('test_mode=false')).toEqual(['live']);
    expect(await texts('test_mode=true')).toEqual(['test']);
  });

  it('takes filters in every form of a query, and as a JSON body', async () => {
    const { type, field, insert, texts, list } = await scene();
    await insert([
      { values: { Text: 'a', Number: 1 } },
      { values: { Text: 'b', Number: 2 } },
      { values: { Text: 'c', Number: 3 } },
    ]);
    const [text, number] = [field('Text'), field('Number')];
    const filters = [
      { field_id: String(number), operator: 'GREATER_THAN', value: 1 },
      { field_id: text, operator: 'NOT_EQUAL', value: 'c' },
    ];
    const forms = [
      `filters[0][field_id]=${number}&filters[0][operator]=GREATER_THAN&filters[0][value]=1&filters[1][field_id]=${text}&filters[1][operator]=NOT_EQUAL&filters[1][value]=c`,
      `filters[][field_id]=${number}&filters[][operator]=GREATER_THAN&filters[][value]=1&filters[][field_id]=${text}&filters[][operator]=NOT_EQUAL&filters[][value]=c`,
    ];
    for (const form of [...forms, ...forms.map(encodeURI)]) expect(await texts(form)).toEqual(['b']);
    expect(await texts('', { filters })).toEqual(['b']);
    const whole = await list('', {
      record_type_id: String(type.id),
      filters,
      per_page: '5',
      test_mode: 'false',
    });
    expect(whole.body.meta).toMatchObject({ count: 1, per_page: 5 });
    expect(
      await texts(`filters[][field_id]=${number}&filters[][operator]=IS_NOT_EMPTY&filters[][value]=x`),
    ).toHaveLength(3);
  });

  it.each([
    ['Text', 'EQUAL', 'a', ['a']],
    ['Text', 'EQUAL', 'a ', ['a ']],
    ['Text', 'EQUAL', 'á', []],
    ['Text', 'NOT_EQUAL', 'a', ['', 'A', 'a ']],
    ['Text', 'IS_EMPTY', undefined, ['']],
    ['Text', 'EQUAL', '', ['']],
    ['Text', 'NOT_EQUAL', '', ['A', 'a ', 'a']],
    ['Text', 'GREATER_THAN', '', ['A', 'a ', 'a']],
    ['Text', 'LESS_THAN_OR_EQUAL_TO', '', []],
    ['Text', 'LESS_THAN', 'a', ['A']],
  ])('compares texts exactly: %s %s %j', async (name, operator, value, wanted) => {
    const { field, insert, texts } = await scene();
    await insert(named('a', 'a ', 'A', ''));
    const found = await texts('', { filters: [{ field_id: field(name), operator, value }] });
    expect(found.map((text: string | null) => text ?? '')).toEqual(wanted);
  });

  it('compares long texts by all they hold, not by the indexed part only', async () => {
    const { field, insert, texts } = await scene();
    await insert(named(long('a'), long('b'), long('')));
    const find = (operator: string, value: string) =>
      texts('order_direction=ASC', { filters: [{ field_id: field('Text'), operator, value }] });
    expect(await find('EQUAL', long('a'))).toEqual([long('a')]);
    expect(await find('GREATER_THAN', long('a'))).toEqual([long('b')]);
    expect(await find('LESS_THAN', long('a'))).toEqual([long('')]);
    expect(await find('NOT_EQUAL', long(''))).toEqual([long('a'), long('b')]);
  });

  it('keeps up with updates and deletions', async () => {
    const { account, field, insert, texts, list, type } = await scene();
    const [a = 0, b = 0] = await insert(named('a', 'b', 'c'));
    await api.call(account.key, 'PUT', `${PATH}/${a}`, {
      field_values: [{ field_id: field('Text'), value: 'z' }],
    });
    await api.call(account.key, 'DELETE', `${PATH}/${b}`);
    const filters = [{ field_id: field('Text'), operator: 'GREATER_THAN', value: 'a' }];
    expect(await texts('', { filters })).toEqual(['c', 'z']);
    expect((await list(`record_type_id=${type.id}`)).body.meta.count).toBe(2);
  });

  it('has a field called __proto__ like any other', async () => {
    const account = await buildAccount(stores.db);
    const type = await buildRecordType(api, account, [{ name: '__proto__', result_type: 'TEXT' }]);
    await insertMany(stores, type, [{ values: JSON.parse('{"__proto__":"x"}') }]);
    const { body } = await api.call(account.key, 'GET', `${PATH}?record_type_id=${type.id}`);
    expect(Object.entries(body.record_results[0]).at(-1)).toEqual(['__proto__', 'x']);
  });

  it('gives up to 500 a page, and links that keep the other parameters', async () => {
    const { type, list, insert } = await scene();
    await insert(named(...Array.from({ length: 501 }, (_, index) => `t${index}`)));
    const { body } = await list(`record_type_id=${type.id}&per_page=500&page=2`);
    expect(body.record_results).toHaveLength(1);
    expect(body.meta).toEqual({
      current_page: `https://fabula.example${PATH}?record_type_id=${type.id}&per_page=500&page=2`,
      previous_page: `https://fabula.example${PATH}?record_type_id=${type.id}&per_page=500&page=1`,
      next_page: null,
      next_page_number: null,
      per_page: 500,
      pages: 2,
      count: 501,
    });
    const past = await list(`record_type_id=${type.id}&per_page=500&page=3`);
    expect([past.status, past.body.record_results]).toEqual([200, []]);
  });
});

describe('the addresses of pages', () => {
  it('keep all of a query in which a value holds a question mark', async () => {
    const { type, field, list, insert } = await scene();
    await insert(named('why?', 'why?'));
    const filter = `filters[0][field_id]=${field('Text')}&filters[0][operator]=EQUAL&filters[0][value]=why?`;
    const { body } = await list(`record_type_id=${type.id}&${filter}&per_page=1`);
    const next = new URL(body.meta.next_page ?? '').searchParams;
    expect(Object.fromEntries(next)).toMatchObject({ 'filters[0][value]': 'why?', per_page: '1', page: '2' });
  });

  it('lead on without the JSON body that the list was asked for with', async () => {
    const { type, list, insert } = await scene();
    await insert(named('a', 'b', 'c'));
    const first = await list('', { record_type_id: type.id, per_page: 2, order_direction: 'ASC' });
    const { search } = new URL(first.body.meta.next_page ?? '');
    const second = await list(search.slice(1));
    expect(second.status).toBe(200);
    expect(first.body.record_results).toHaveLength(2);
    expect(second.body.record_results).toHaveLength(1);
  });
});

describe('what a list refuses', () => {
  it.each([
    ['per_page=0', ['per_page']],
    ['per_page=501', ['per_page']],
    ['page=0', ['page']],
    ['page=x&colour=red', ['page', 'colour']],
    ['order_direction=UP', ['order_direction']],
    ['order_field_id=999999', ['order_field_id']],
    ['range_start=yesterday', ['range_start']],
    ['story_ids=x', ['story_ids']],
    ['test_mode=perhaps', ['test_mode']],
    ['filters=x', ['filters']],
    ['filters[0][field_id]=999999&filters[0][operator]=EQUAL&filters[0][value]=1', ['filters[0].field_id']],
    ['filters[0][field_id]=999999', ['filters[0].operator', 'filters[0].field_id']],
    [
      'filters[0][field_id]=999999&filters[0][operator]=LIKE&filters[0][x]=1',
      ['filters[0].operator', 'filters[0].x', 'filters[0].field_id'],
    ],
  ])('%s', async (query, places) => {
    const { type, list } = await scene();
    const { status, body } = await list(`record_type_id=${type.id}&${query}`);
    expect([
      status,
      details(body).map((place) => place?.replace(/^(story_ids|filters)\[0\]$/, '$1')),
    ]).toEqual([422, places]);
  });

  it.each([
    ['Flag', 'GREATER_THAN', true, 'operator'],
    ['Choice', 'LESS_THAN', 'red', 'operator'],
    ['Text', 'IS_TRUE', undefined, 'operator'],
    ['Number', 'IS_FALSE', undefined, 'operator'],
    ['Text', 'EQUAL', undefined, 'value'],
    ['Text', 'EQUAL', null, 'value'],
    ['Text', 'EQUAL', { a: 1 }, 'value'],
    ['Text', 'EQUAL', ['a'], 'value'],
    ['Number', 'LESS_THAN', 'ten', 'value'],
    ['Number', 'EQUAL', '9007199254740993', 'value'],
    ['Number', 'EQUAL', 2 ** 53, 'value'],
    ['Number', 'EQUAL', '', 'value'],
    ['Time', 'EQUAL', 'noon', 'value'],
    ['Timestamp', 'EQUAL', 5, 'value'],
    ['Flag', 'EQUAL', 'maybe', 'value'],
  ])('the filter %s %s %j, by its %4$s', async (name, operator, value, part) => {
    const { type, field, list } = await scene();
    const filters = [
      { field_id: field('Number'), operator: 'IS_EMPTY' },
      { field_id: field(name), operator, value },
    ];
    const { status, body } = await list(`record_type_id=${type.id}`, { filters });
    expect([status, details(body)]).toEqual([422, [`filters[1].${part}`]]);
  });

  it('more than twenty filters, and none of the two selectors', async () => {
    const { type, field, list } = await scene();
    const filters = Array.from({ length: 21 }, () => ({ field_id: field('Text'), operator: 'IS_EMPTY' }));
    expect((await list(`record_type_id=${type.id}`, { filters })).status).toBe(422);
    expect((await list(`record_type_id=${type.id}`, { filters: filters.slice(1) })).status).toBe(200);
    for (const body of [undefined, { record_field_ids: [] }]) {
      const response = await list('', body);
      expect([response.status, details(response.body)]).toEqual([422, ['record_type_id']]);
    }
    expect((await list('record_type_id=999999')).status).toBe(404);
  });

  it('times at the ends of the calendar do no harm', async () => {
    const { type, field, list } = await scene();
    for (const value of ['0000-01-01', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00-12:00']) {
      for (const operator of ['EQUAL', 'LESS_THAN_OR_EQUAL_TO', 'GREATER_THAN']) {
        const filters = [{ field_id: field('Timestamp'), operator, value }];
        expect((await list(`record_type_id=${type.id}&range_start=${value}`, { filters })).status).toBe(200);
      }
    }
  });
});

describe('in the whole application', () => {
  it('a call beyond the limit of a minute is refused, with headers', async () => {
    const fabula = await startFabula(stores, {
      env: { RECORDS_LIST_RATE_LIMIT_PER_MINUTE: '2' },
      queues: [],
      relay: false,
    });
    const type = await api.services.recordTypes.create(fabula.account.actor, { name: 'T', fields: [] });
    const call = () => fabula.api('GET', `${PATH}?record_type_id=${type.id}`);
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await fabula.close();
  });
});
