import { gzipSync } from 'node:zlib';
import { jsonCall, useSampleApi } from '../support/sample-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useSampleApi(stores);

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  api.call('/api/v1/things', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

describe('input', () => {
  it.each(['?ids[]=1&ids[]=2', '?ids=1&ids=2', '?ids[0]=1&ids[1]=2'])('%s is one list', async (query) => {
    expect((await api.call(`/api/v1/echo${query}`)).body.query).toEqual({ ids: [1, 2] });
  });

  it('takes a JSON body on a GET for more of the query; the address wins', async () => {
    const filters = [{ field_id: '7', operator: 'IS_EMPTY' }];
    const withBody = jsonCall({ ids: [1, '2'], search: 'body', filters }, { method: 'GET' });
    expect((await api.call('/api/v1/echo?search=address', withBody)).body.query).toEqual({
      ids: [1, 2],
      search: 'address',
      filters,
    });
  });

  it('with an unknown query parameter is refused by its name', async () => {
    const { status, body } = await api.call('/api/v1/echo?searhc=x');
    expect(status).toBe(422);
    expect(body).toEqual({ errors: [{ message: '"searhc" is not allowed', details: 'searhc' }] });
  });

  it.each([
    ['{"team_id":5,"name":"a","__proto__":{"admin":true}}', '__proto__'],
    ['{"team_id":5,"name":"a","\\u005f_proto__":1}', '__proto__'],
  ])('%s is refused for its prototype, by name', async (text, details) => {
    const { status, body } = await post(text);
    expect({ status, body }).toEqual({
      status: 422,
      body: { errors: [{ message: `"${details}" is not allowed`, details }] },
    });
  });

  it('is refused for its prototypes and for everything else at once', async () => {
    const { status, body } = await post('{"team_id":"x","name":[{"__proto__":1}],"__proto__":{}}');
    expect([status, body.errors.map(({ details }) => details)]).toEqual([
      422,
      ['name[0].__proto__', '__proto__', 'team_id', 'name'],
    ]);
  });

  it('that only speaks of __proto__ is data', async () => {
    expect((await post('{"team_id":5,"name":"__proto__ \\u00e4"}')).status).toBe(201);
  });

  it('with a query or a body where the route takes none is refused by name', async () => {
    expect((await api.call('/api/v1/things/7?a=1')).body.errors[0]?.details).toBe('a');
    const withBody = await api.call('/api/v1/things', jsonCall({ force: true }, { method: 'DELETE' }));
    expect(withBody).toMatchObject({ status: 422, body: { errors: [{ details: 'force' }] } });
  });

  it('tells every problem at once, each with its path', async () => {
    const query = 'ids=x&filters[0][operator]=EQUAL&filters[1][field_id]=1&filters[1][operator]=LIKE&odd=1';
    const { status, body } = await api.call(`/api/v1/echo?${query}`);
    expect(status).toBe(422);
    expect(body.errors.map(({ details }) => details ?? '').toSorted()).toEqual([
      'filters[0].field_id',
      'filters[1].operator',
      'ids',
      'odd',
    ]);
  });

  it('without a body where one is needed names the missing fields', async () => {
    const { status, body } = await api.call('/api/v1/things', { method: 'POST' });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { message: '"team_id" is required', details: 'team_id' },
      { message: '"name" is required', details: 'name' },
    ]);
  });

  it('with hundreds of problems gets the first hundred and how many are left', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1]));
    const { body } = await api.call('/api/v1/things', jsonCall({ team_id: 1, name: 'a', ...many }));
    expect(body.errors).toHaveLength(101);
    expect(body.errors[100]).toEqual({ message: '… and 200 more' });
  });

  it('with more values than are looked through is refused before they are looked at', async () => {
    const many = Array.from({ length: 25_000 }, () => 0);
    const { status, body } = await api.call('/api/v1/echo', jsonCall({ ids: many }, { method: 'GET' }));
    expect(status).toBe(413);
    expect(body.errors).toEqual([{ message: 'The body has more than 20000 values' }]);
  });

  it.each([
    ['a list', '[1]'],
    ['null', 'null'],
    ['a text', '"x"'],
  ])('that is %s instead of an object is 422', async (_what, body) => {
    const response = await api.call('/api/v1/things', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(422);
  });

  it.each(['abc', '0', '-1', '1.5', '99999999999999999999'])(
    '%s as an id in the path is 404',
    async (given) => {
      expect((await api.call(`/api/v1/things/${given}`)).status).toBe(404);
    },
  );
});

describe('bodies', () => {
  const thing = JSON.stringify({ team_id: 1, name: 'ä' });

  it.each([
    ['not JSON', '{"a":'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['nested without end', '['.repeat(5000)],
  ])('that are %s are 400', async (_what, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toHaveLength(1);
  });

  it('in another character set are 400', async () => {
    const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
    expect((await post(Buffer.from(thing, 'latin1'), headers)).status).toBe(400);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'team_id=1&name=a'],
    ['text/plain', thing],
    ['application/xml', '<a/>'],
  ])('of type %s are 415', async (type, body) => {
    expect((await post(body, { 'content-type': type })).status).toBe(415);
  });

  it('with a content-encoding nobody knows are 415', async () => {
    expect((await post(thing, { 'content-encoding': 'zip' })).status).toBe(415);
  });

  it.each(['application/json; charset="UTF-8"', 'application/vnd.api+json', 'APPLICATION/JSON'])(
    'of type %s are read',
    async (type) => {
      expect(await post(thing, { 'content-type': type })).toMatchObject({
        status: 201,
        body: { name: 'ä' },
      });
    },
  );

  it('may be compressed, and begin with a byte order mark', async () => {
    expect((await post(gzipSync(thing), { 'content-encoding': 'gzip' })).status).toBe(201);
    expect((await post(`\uFEFF${thing}`)).status).toBe(201);
  });

  it('over the limit are 413, also when only their content is', async () => {
    const large = JSON.stringify({ team_id: 1, name: 'x'.repeat(64 * 1024) });
    expect((await post(large)).status).toBe(413);
    expect((await post(gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413);
  });
});
