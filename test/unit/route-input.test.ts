import Joi from 'joi';
import { ROUTES } from '../../src/app/routes.js';
import { checkInput, type InputSchemas, type RawInput } from '../../src/api/request/route-input.js';

const write: InputSchemas = {
  method: 'put',
  path: '/api/v1/stories/:id',
  body: Joi.object({ name: Joi.string(), ids: Joi.array().items(Joi.number()), disabled: Joi.boolean() }),
  ignored: ['id', 'created_at'],
  unsupported: { draft_id: 'there are no drafts' },
};
const read: InputSchemas = {
  method: 'get',
  path: '/api/v1/stories',
  query: Joi.object({
    story_id: Joi.number(),
    search: Joi.string().allow(''),
    page: Joi.number().default(1),
  }),
};

function given(input: Partial<RawInput>): RawInput {
  return { params: {}, query: {}, body: undefined, ...input };
}

function messages(route: InputSchemas, input: Partial<RawInput>): string[] {
  return checkInput(route, given(input)).problems.map(({ message }) => message);
}

it('contract: a problem of the input as a whole never sounds like one of a field called value', () => {
  const route = {
    ...write,
    body: Joi.object({ value: Joi.any(), index: Joi.number() }).or('value', 'index'),
  };
  expect(messages(route, { body: {} })).toEqual(['"input" must contain at least one of [value, index]']);
  expect(messages(route, { body: [] })).toEqual(['"input" must be of type object']);
});

describe('names that a route knows beside its schemas', () => {
  it('drops names without effect from body and query', () => {
    const { body, problems } = checkInput(
      write,
      given({ body: { id: 5, created_at: 'x', name: 'a' }, query: { id: '5' } }),
    );
    expect({ body, problems }).toEqual({ body: { name: 'a' }, problems: [] });
  });

  it('refuses by name what is missing here, and takes values that ask for nothing', () => {
    expect(messages(write, { body: { draft_id: 5 } })).toEqual([
      '"draft_id" is not supported here: there are no drafts',
    ]);
    for (const nothing of [null, '', false, 'False', []]) {
      expect(messages(write, { body: { draft_id: nothing, name: 'a' } })).toEqual([]);
    }
  });

  it('names the missing thing and the other problems at once', () => {
    expect(messages(write, { query: { draft_id: '7' }, body: { name: 5, nam: 'b' } })).toEqual([
      '"draft_id" is not supported here: there are no drafts',
      '"name" must be a string',
      '"nam" is not allowed',
    ]);
  });

  it('still refuses unknown names', () => {
    expect(messages(write, { body: { disable: true } })).toEqual(['"disable" is not allowed']);
    expect(messages(read, { query: { stroy_id: '' } })).toEqual(['"stroy_id" is not allowed']);
  });
});

describe('parameters of a write', () => {
  it('come from the query too; the body has precedence', () => {
    const { body, query } = checkInput(
      write,
      given({ query: { name: 'query', disabled: 'True', ids: ['1', '2'] }, body: { name: 'body' } }),
    );
    expect({ body, query }).toEqual({ body: { name: 'body', disabled: true, ids: [1, 2] }, query: {} });
  });

  it('come from the query alone if there is no body', () => {
    expect(checkInput(write, given({ query: { name: 'a' } })).body).toEqual({ name: 'a' });
  });

  it('stay in the query if the route has a query of its own', () => {
    const route = { ...write, query: Joi.object({ keep: Joi.boolean() }) };
    expect(messages(route, { query: { name: 'a' }, body: {} })).toEqual(['"name" is not allowed']);
    expect(checkInput(route, given({ query: { keep: 'true' } })).query).toEqual({ keep: true });
  });

  it('leave a body that is no object to its schema', () => {
    expect(messages(write, { query: { name: 'a' }, body: [1] })).not.toEqual([]);
  });
});

describe('parameters of a read', () => {
  it('are absent if they are null or empty', () => {
    const { query, problems } = checkInput(
      read,
      given({ query: { story_id: '', search: '' }, body: { page: null } }),
    );
    expect({ query, problems }).toEqual({ query: { page: 1 }, problems: [] });
  });
});

/** Values that ask for nothing, under names that no route has. */
const NOTHING = { kwargs: {}, more: [], other: '', another: null };

describe('A12 clients: an unknown name whose value asks for nothing', () => {
  it('is dropped from a body, at any depth; every other one is still refused', () => {
    const route: InputSchemas = {
      method: 'post',
      path: '/api/v1/stories',
      body: Joi.object({ name: Joi.string(), list: Joi.array().items(Joi.object({ id: Joi.number() })) }),
    };
    const body = { name: 'a', list: [{ id: 1, ...NOTHING }], ...NOTHING };
    const checked = checkInput(route, given({ body, query: { also: '' } }));
    expect(checked).toMatchObject({ body: { name: 'a', list: [{ id: 1 }] }, problems: [] });
    expect(Object.keys(checked.body as object)).toEqual(['name', 'list']);
    const wrong = { list: [{ kwargs: [0] }, { kwargs: {} }], kwargs: { a: {} }, more: [''], b: false, c: 0 };
    const { problems } = checkInput(route, given({ body: { ...wrong, another: null } }));
    expect(problems).toEqual(
      ['list[0].kwargs', 'kwargs', 'more', 'b', 'c'].map((details) => ({
        message: `"${details}" is not allowed`,
        details,
      })),
    );
    expect(messages(read, { query: { kwargs: '' } })).toEqual(['"kwargs" is not allowed']);
  });

  it('asks for nothing where something is not supported, too', () => {
    expect(messages(write, { body: { draft_id: {} } })).toEqual([]);
  });

  const writes = ROUTES.filter(({ method }) => method !== 'get');
  it.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is dropped by %s',
    (_, route) => {
      const { params = {}, query = {}, body = {} } = route.docs?.example ?? {};
      const checkedAs = (more: object) => {
        const sent = given({ params, query, body: { ...(body as object), ...more } });
        const { problems, body: taken } = checkInput(route, sent);
        return { problems, body: route.prepare?.(taken) ?? taken };
      };
      const plain = checkedAs({});
      expect(plain.problems).toEqual([]);
      expect(checkedAs(NOTHING)).toEqual(plain);
    },
  );
});
