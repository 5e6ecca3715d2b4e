import type { AnyRoute } from '../../src/api/route.js';

/** A request as it goes over the wire. */
export interface HostileRequest {
  /** The change to it, for messages. */
  trick: string;
  route: AnyRoute<never>;
  method: string;
  /** Path and query, as written into the request line. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

type Random = () => number;
type Json = unknown;

/** A small generator of numbers in [0, 1) that gives the same for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

const NASTY_TEXTS = [
  '',
  ' ',
  "' OR '1'='1",
  '"; DROP TABLE stories; --',
  '1) UNION ALL SELECT 1 -- ',
  'SLEEP(5)',
  '{{ constructor.constructor("return process")() }}',
  '<<RESOURCE.x>>',
  '{% for i in (1..1000000000) %}x{% endfor %}',
  '=REPEAT("a", 1000000000)',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '😀'.repeat(300),
  'ﷺ'.repeat(200),
  'ä'.repeat(70_000),
  'x'.repeat(256),
  'x'.repeat(5_000),
  '../../etc/passwd',
  '%00',
  '%s%n%x',
  '\r\nSet-Cookie: a=b',
  '<script>alert(1)</script>',
  '1e999',
  '0x1F',
  '٣',
  '9'.repeat(400),
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  'true',
  'null',
  'NaN',
];

const NASTY_VALUES: readonly Json[] = [
  ...NASTY_TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  4294967296,
  [],
  [[]],
  [null],
  {},
  { id: 1 },
  { $ne: null },
  { toString: 'x', valueOf: 'y' },
  { length: 1e9 },
  { toJSON: 'x' },
  Array.from({ length: 2_000 }, () => 1),
  Array.from({ length: 300 }, (_, index) => ({ field_id: index, value: 'x' })),
  nested(40),
  nested(400),
];

function nested(depth: number): Json {
  return JSON.parse('{"a":['.repeat(depth) + ']}'.repeat(depth)) as Json;
}

/** Values of path parameters; small ones are ids of things that are there. */
const PATH_VALUES = [
  '1',
  '2',
  '3',
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '%31',
  '9007199254740991',
  '9007199254740993',
  '18446744073709551616',
  '9'.repeat(300),
  '%00',
  '1%00',
  '%ff%fe',
  '%E0%A4%A',
  '%',
  '%zz',
  '..',
  '..%2f..%2f',
  '1;DROP%20TABLE%20stories',
  "1'--",
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '%F0%9F%98%80',
  '+1',
  '%201',
];

const QUERIES = [
  'nobody=1',
  '__proto__[polluted]=1',
  '__proto__=1',
  'constructor[prototype][polluted]=1',
  'a[__proto__][polluted]=1',
  'page=%00',
  'page=0&per_page=501',
  'page=1e9&per_page=1e9',
  'page[]=1&page[]=2',
  'per_page[a]=1',
  'per_page=9007199254740993',
  'page=99999999999999999999',
  'search=%ff%fe',
  'search=%',
  'search=%E0%A4%A',
  'search=%25_!%27%22%5C',
  `search=${'x'.repeat(5_000)}`,
  'search=%F0%9F%98%80',
  'search=%00',
  'search[]=a&search[]=b',
  'order=id;DROP TABLE stories'.replaceAll(' ', '%20'),
  'order_direction=DESC,SLEEP(5)',
  'team_id=1%20OR%201=1',
  'team_id=',
  'team_id',
  '=',
  '&&&',
  '[]=1',
  '[a]=1',
  'filters=x',
  'filters[]=1&filters[0][field_id]=1',
  'filters[0][field_id][a][b][c][d][e][f][g]=1',
  'filters[99999999]=1',
  'filters[-1]=1',
  `x${'[a]'.repeat(200)}=1`,
  Array.from({ length: 2_500 }, (_, index) => `a${index}=1`).join('&'),
  Array.from({ length: 1_500 }, () => 'record_field_ids[]=1').join('&'),
  'record_field_ids[1001]=1',
  'range_start=0000-00-00&range_end=%2B275760-09-13T00:00:00.001Z',
  'from=9999-99-99',
  'to=-271821-04-19T23:59:59Z',
  'test_mode=maybe',
  `search=${'x'.repeat(70_000)}`,
];

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'nobody',
  '',
  '\u0000',
  'a.b',
  "x'; --",
  'toString',
  'id',
];

/** An example's body with these values for its keys of the same name, at any depth: ids of things that are there. */
export function withIds(value: Json, ids: Record<string, number>): Json {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, ids[key] ?? withIds(item, ids)]),
  );
}

/** A request to one of the routes, made from the route's own example: wrong in one to three ways, or right now and then. */
export function hostileRequest(
  routes: readonly AnyRoute<never>[],
  ids: Record<string, number>,
  random: Random,
): HostileRequest {
  const route = pick(random, routes);
  const request: HostileRequest = {
    trick: '',
    route,
    method: route.method.toUpperCase(),
    target: pathOf(route, random),
    headers: {},
    body: undefined,
  };
  const tricks = bodyTricks(withIds(route.docs?.example.body ?? {}, ids), random);
  const trick = pick(random, tricks);
  const query = random() < (route.method === 'get' ? 0.8 : 0.25) ? `?${queryOf(route, random)}` : '';
  request.target += query;
  Object.assign(request, trick.make());
  request.trick = [trick.name, query === '' ? '' : 'query'].join(' ').trim();
  return request;
}

function pathOf(route: AnyRoute<never>, random: Random): string {
  return route.path.replace(/:\w+/g, () => pick(random, random() < 0.6 ? ['1', '2', '3'] : PATH_VALUES));
}

function queryOf(route: AnyRoute<never>, random: Random): string {
  const names = Object.keys(route.query?.describe()['keys'] ?? {});
  if (names.length === 0 || random() < 0.4) return pick(random, QUERIES);
  const count = 1 + Math.floor(random() * 3);
  const pairs = Array.from({ length: count }, () => {
    const form = pick(random, ['', '', '', '[]', '[0]', '[a]', '[0][field_id]', '[__proto__]']);
    return `${pick(random, names)}${form}=${encoded(pick(random, NASTY_TEXTS))}`;
  });
  return pairs.join('&');
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).slice(0, 8_000);
}

/** The parts of a request that has a body. */
function text(body: string | Buffer, type = 'application/json') {
  return { headers: { 'content-type': type }, body: Buffer.from(body) };
}

interface Trick {
  name: string;
  make(): Partial<HostileRequest>;
}

function bodyTricks(example: Json, random: Random): Trick[] {
  const json = (value: Json) => text(JSON.stringify(value));
  const whole = JSON.stringify(example);
  const mutations: Trick[] = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
    name: `mutated ${number}`,
    make: () => json(mutated(example, random)),
  }));
  return [
    { name: 'nothing', make: () => ({}) },
    ...Array.from({ length: 5 }, () => ({ name: 'none', make: () => text(whole) })),
    { name: 'key', make: () => text(withKey(whole, pick(random, KEYS), pick(random, NASTY_VALUES))) },
    { name: 'key', make: () => text(withKey(whole, pick(random, KEYS), pick(random, NASTY_VALUES))) },
    { name: 'duplicate keys', make: () => text(duplicated(whole)) },
    { name: 'other kind', make: () => json(pick(random, ['x', 5, true, [], [example], [[]]])) },
    { name: 'cut', make: () => text(whole.slice(0, Math.floor(random() * whole.length))) },
    {
      name: 'not JSON',
      make: () =>
        text(
          pick(random, [
            '{',
            '{"a":}',
            "{'a':1}",
            'undefined',
            '{"a":1}}',
            '\u0000',
            '{"a":\u0000}',
            '<a/>',
            '{"a":1,}',
            'NaN',
            '{"\\u12"}',
            '﻿{}',
          ]),
        ),
    },
    {
      name: 'bad UTF-8',
      make: () =>
        text(
          Buffer.concat([
            Buffer.from('{"name":"'),
            Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
            Buffer.from('"}'),
          ]),
        ),
    },
    { name: 'deep', make: () => text('['.repeat(30_000)) },
    { name: 'deep object', make: () => text(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`) },
    {
      name: 'huge number',
      make: () => text(withRaw(whole, pick(random, ['1e999', '9'.repeat(500), '-1e-999', '0.1e-400']))),
    },
    { name: 'too large', make: () => text(JSON.stringify({ name: 'x'.repeat(300_000) })) },
    {
      name: 'content type',
      make: () =>
        text(
          whole,
          pick(random, [
            'text/plain',
            'application/xml',
            'multipart/form-data',
            'application/x-www-form-urlencoded',
            'application/json; charset=utf-16',
            'application/json; charset=x',
            ';',
            'application/json/json',
            'json',
          ]),
        ),
    },
    {
      name: 'content encoding',
      make: () => ({
        ...text(whole),
        headers: {
          'content-type': 'application/json',
          'content-encoding': pick(random, ['gzip', 'br', 'deflate', 'zstd', 'x', 'gzip, gzip']),
        },
      }),
    },
    ...mutations,
  ];
}

/** The example with one to three of its values, at any depth, replaced by nasty ones. */
function mutated(example: Json, random: Random): Json {
  const copy = structuredClone(example);
  const places = placesOf(copy);
  if (places.length === 0) return { [pick(random, KEYS)]: pick(random, NASTY_VALUES) };
  const count = 1 + Math.floor(random() * 3);
  for (let index = 0; index < count; index++) {
    const { holder, key } = pick(random, places);
    const isText = typeof holder[key] === 'string' && random() < 0.7;
    holder[key] = pick(random, isText ? NASTY_TEXTS : NASTY_VALUES);
  }
  return copy;
}

function placesOf(value: Json): { holder: Record<string, Json>; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, Json>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

/** `{"a":1}` as `{"key":value,"a":1}`, written by hand: no object can hold `__proto__` so. */
function withKey(json: string, key: string, value: Json): string {
  return withRaw(json, JSON.stringify(value), key);
}

function withRaw(json: string, raw: string, key = 'name'): string {
  const rest = json.startsWith('{') ? json.slice(1) : '}';
  return `{${JSON.stringify(key)}:${raw}${rest === '}' ? '' : ','}${rest}`;
}

/** All keys once more, with other values. */
function duplicated(json: string): string {
  const keys = Object.keys((JSON.parse(json) ?? {}) as object);
  const more = keys.map((key) => `${JSON.stringify(key)}:{"__proto__":1}`).join(',');
  return json === '{}' || more === '' ? '{"a":1,"a":2}' : `${json.slice(0, -1)},${more}}`;
}
