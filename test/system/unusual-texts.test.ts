import Joi from 'joi';
import { request } from 'undici';
import { ROUTES } from '../../src/app/routes.js';
import { parseQueryString } from '../../src/platform/http/address/query-string.js';
import { sideBySide } from '../support/side-by-side.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const AT_ONCE = 6;

/** As they stand in an address: other alphabets, half characters, bytes that are no text, and what SQL reads in its own way. */
const TEXTS = [
  '%C3%A9',
  '%E6%97%A5%E6%9C%AC',
  '%F0%9F%98%80',
  'a%00b',
  '%ED%A0%80',
  '%C0%AF',
  '%FF%FE',
  '%E2%80%AE',
  'x'.repeat(5_000),
  '%C3%A9'.repeat(60),
  '%27%22%5C%60',
  '%25_%25',
  '0',
  '-1',
  '1e400',
  '%20',
  '',
];
/** The same in a body, where a JSON text may hold half a character. */
const BODY_TEXTS = ['é', '😀', '\ud800', 'a\u0000b', '\udfff\ud800', 'x'.repeat(5_000)];

/** The parameters of a route, each with its schema. */
const keysOf = ({ query }: (typeof ROUTES)[number]): [string, Joi.Schema][] =>
  query === undefined
    ? []
    : Object.keys(Object(query.describe()['keys'])).map((key) => [key, query.extract(key)]);

/** A stream would go on. */
const ends = ({ docs }: (typeof ROUTES)[number]) => docs?.contentType === undefined;
const reads = ROUTES.filter((route) => route.method === 'get' && ends(route)).map((route) => ({
  path: route.path,
  keys: keysOf(route),
}));

/**
 * Returns whether a request can show what no request before has: a value that its schema refuses is taken out before the handler
 * sees it. So of these one is enough for each parameter of a route, and one for each schema.
 */
function findsOut(): (place: string, schema: Joi.Schema, value: unknown) => boolean {
  const refused = new Set<string>();
  const isNew = (one: string) => refused.size < refused.add(one).size;
  return (place, schema, value) => {
    // In an object: a schema may refer to the keys beside it.
    if (Joi.object({ place: schema }).validate({ place: value }).error === undefined) return true;
    const ofPlace = isNew(place);
    return isNew(JSON.stringify([schema.describe(), value])) || ofPlace;
  };
}

const fabula = useFabula(stores, {
  queues: [],
  env: { RATE_LIMIT_PER_MINUTE: '0', RECORDS_LIST_RATE_LIMIT_PER_MINUTE: '0' },
});
let ids: Record<string, number>;
beforeEach(async () => {
  const story = await fabula.importStory(smallExport());
  const { agents } = (await (await fabula.api('GET', `/api/v1/stories/${story.id}/agents`)).json()) as {
    agents: { id: number }[];
  };
  const agent = agents[0]?.id ?? 0;
  ids = { '/api/v1/stories/:id': story.id, '/api/v1/agents/:id': agent, '/api/v1/actions/:id': agent };
});

const at = (path: string, text: string) =>
  path
    .replace(/^(\/api\/v1\/(?:stories|agents|actions)\/:id)/, (whole) =>
      whole.replace(':id', String(ids[whole])),
    )
    .replace(/:\w+/g, text);
const send = async (path: string, body?: unknown): Promise<number> => {
  const response = await request(fabula.url + path, {
    method: 'GET',
    body: body === undefined ? null : JSON.stringify(body),
    headers: { 'x-user-token': fabula.account.key, 'content-type': 'application/json' },
  });
  await response.body.dump();
  return response.statusCode;
};

/** The requests that are answered with 500 or more, as text. */
async function failuresOf(asked: { path: string; body?: unknown }[]): Promise<string[]> {
  const failed = await sideBySide(asked, AT_ONCE, async ({ path, body }) => {
    const status = await send(path, body);
    const shown = `${status} ${path.slice(0, 200)} ${JSON.stringify(body ?? null).slice(0, 80)}`;
    return status >= 500 ? [shown] : [];
  });
  return failed.flat();
}

it('no text in a filter or a search makes a list fail', async () => {
  const shows = findsOut();
  const asked = reads.flatMap(({ path, keys }) =>
    keys.flatMap(([key, schema]) =>
      TEXTS.filter((text) => shows(`${path} ${key}`, schema, parseQueryString(`${key}=${text}`)[key])).map(
        (text) => ({ path: `${at(path, '1')}?${key}=${text}` }),
      ),
    ),
  );
  expect(new Set(asked.map(({ path }) => path.split('=')[0])).size).toBe(
    reads.flatMap(({ keys }) => keys).length,
  );
  expect(await failuresOf(asked)).toEqual([]);
});

const valuesOf = (text: string) => [text, [text], [{ field_id: 1, operator: 'EQUAL', value: text }]];

it('no text in the body of a list makes it fail', async () => {
  const shows = findsOut();
  const asked = reads.flatMap(({ path, keys }) =>
    keys.flatMap(([key, schema]) =>
      BODY_TEXTS.flatMap(valuesOf)
        .filter((value) => shows(`${path} ${key}`, schema, value))
        .map((value) => ({ path: at(path, '1'), body: { [key]: value } })),
    ),
  );
  expect(await failuresOf(asked)).toEqual([]);
});

it('no text in the place of an id makes a route fail', async () => {
  const texts = TEXTS.filter((text) => text !== '');
  // They are all read, so one of the routes of a path is enough.
  const paths = new Set(ROUTES.filter(ends).map(({ path }) => path));
  const asked = [...paths].flatMap((path) => texts.map((text) => ({ path: path.replace(/:\w+/g, text) })));
  expect(await failuresOf(asked)).toEqual([]);
});

it('no path of a webhook and no id of a prompt makes them fail', async () => {
  const failed: string[] = [];
  for (const text of TEXTS.filter((text) => text !== '')) {
    for (const target of [
      `/webhook/${text}`,
      `/webhook/${text}/${text}`,
      `/webhook/a/${text}`,
      `/prompts/${text}`,
    ]) {
      const response = await fetch(fabula.url + target);
      if (response.status >= 500) failed.push(`${response.status} ${target.slice(0, 200)}`);
    }
  }
  expect(failed).toEqual([]);
});

it('an action that cannot be in the audit log gives an empty list', async () => {
  const response = await fabula.api('GET', '/api/v1/audit_logs?action=%C3%A9&target_type=%F0%9F%98%80');
  expect(await response.json()).toMatchObject({ audit_logs: [], meta: { count: 0 } });
});
