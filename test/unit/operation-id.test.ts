import Joi from 'joi';
import { component } from '../../src/api/openapi/component.js';
import { createComponents } from '../../src/api/openapi/components.js';
import { illustrate } from '../../src/api/openapi/pages/illustrate.js';
import { nounOf, operationIdOf } from '../../src/api/openapi/operation-id.js';

describe('the name of an operation', () => {
  it.each([
    ['get', '/api/v1/stories', 'listStories'],
    ['get', '/api/v1/stories/:id', 'getStory'],
    ['post', '/api/v1/stories', 'createStory'],
    ['put', '/api/v1/stories/:id', 'updateStory'],
    ['patch', '/api/v1/stories/:id', 'patchStory'],
    ['delete', '/api/v1/stories/:id', 'deleteStory'],
    ['get', '/api/v2/cases/:id/comments', 'listCaseComments'],
    ['get', '/api/v2/cases/:id/comments/:comment_id', 'getCaseComment'],
    ['post', '/api/v2/cases/:id/linked_cases', 'createCaseLinkedCase'],
    ['post', '/api/v2/cases/:id/metadata', 'createCaseMetadata'],
    ['delete', '/api/v2/cases/:id/metadata', 'deleteCaseMetadata'],
    ['post', '/api/v1/stories/:id/runs/:guid/cancel', 'cancelStoryRun'],
    ['post', '/api/v1/dead_letters/retry', 'retryDeadLetters'],
    ['post', '/api/v1/dead_letters/:id/retry', 'retryDeadLetter'],
    ['delete', '/api/v1/mailboxes/:id', 'deleteMailbox'],
    ['delete', '/api/v1/actions/:id/clear_memory', 'clearActionMemory'],
  ] as const)('of %s %s is %s', (method, path, name) => {
    expect(operationIdOf({ method, path })).toBe(name);
  });

  it('is the own one of a route that has one', () => {
    const docs = { tag: 'Stories', operationId: 'importStory', example: {}, errors: [] };
    expect(operationIdOf({ method: 'post', path: '/api/v1/stories/import', docs })).toBe('importStory');
  });
});

describe('the name of an item', () => {
  it.each([
    ['/api/v1/stories/:id', 'Story'],
    ['/api/v2/cases/:id/comments/:comment_id', 'CaseComment'],
    ['/api/v1/dead_letters', 'DeadLetter'],
    ['/api/v1/teams/:team_id/members/:user_id', 'TeamMember'],
  ])('at %s is %s', (path, name) => {
    expect(nounOf(path)).toBe(name);
  });
});

describe('named schemas', () => {
  const user = component('User', Joi.object({ email: Joi.string() }).description('A person'));

  it('stand once, and what refers to them keeps null, presence and description', () => {
    const { refer, schemas } = createComponents();
    const story = Joi.object({
      author: user.required(),
      helper: user.allow(null).description('Who helped'),
      readers: Joi.array().items(user),
    });
    expect(refer(story, 'Story')).toEqual({ $ref: '#/components/schemas/Story' });
    const $ref = '#/components/schemas/User';
    expect(schemas['Story']).toEqual({
      type: 'object',
      properties: {
        author: { $ref },
        helper: { anyOf: [{ $ref }, { type: 'null' }], description: 'Who helped' },
        readers: { type: 'array', items: { $ref } },
      },
      required: ['author'],
      additionalProperties: false,
    });
    expect(schemas['User']).toMatchObject({ type: 'object', description: 'A person' });
  });

  it('are the same for the same schema, also under a second name', () => {
    const { refer } = createComponents();
    const body = Joi.object({ name: Joi.string() });
    expect(refer(body, 'UpdateStoryBody')).toEqual(refer(body, 'PatchStoryBody'));
  });

  it('refuse one name for two schemas', () => {
    const { refer } = createComponents();
    refer(user, 'X');
    const other = component('User', Joi.object({ name: Joi.string() }));
    expect(() => refer(other, 'X')).toThrow('Two schemas have the name User');
  });

  it('get the meaning of common fields, and the values of an example', () => {
    const { refer, schemas } = createComponents();
    const item = component(
      'Item',
      Joi.object({ story_id: Joi.number(), note: Joi.string().description('Own') }),
    );
    const list = refer(Joi.object({ items: Joi.array().items(item) }), 'List');
    illustrate(list, { items: [{ story_id: 12, note: null }] }, schemas);
    expect(schemas['Item']!['properties']).toEqual({
      story_id: { type: 'number', description: 'The id of the story', examples: [12] },
      note: { type: 'string', minLength: 1, description: 'Own' },
    });
  });
});
