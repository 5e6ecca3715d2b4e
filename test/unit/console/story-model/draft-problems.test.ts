import {
  addAction,
  rename,
  setFields,
} from '../../../../src/console/story-model/commands/action-commands.js';
import { problemsOf } from '../../../../src/console/story-model/reading/draft-problems.js';
import type { Keyed } from '../../../../src/console/story-model/story-draft.js';
import { action, after, DRAFT, TO_ASK } from './drafts.js';

const many = <Item>(count: number, item: Item): Keyed<Item> =>
  new Map(Array.from({ length: count }, (_, at) => [`${at}`, item]));
const [link] = DRAFT.links.values();

describe('the problems of a draft', () => {
  it('are none in a story that the server has', () => {
    expect(problemsOf(DRAFT)).toEqual([]);
  });

  it.each([
    ['', 'An action needs a name.'],
    ['x'.repeat(256), 'A name has at most 255 characters.'],
    ['half \ud83d', 'The name has an incomplete Unicode character.'],
  ])('tell of the name %j', (name, message) => {
    expect(problemsOf(after(DRAFT, rename('guid-2', name)))).toEqual([
      { message, parts: { actions: ['guid-2'] }, isRefused: true },
    ]);
  });

  it('tell of a link into a webhook', () => {
    const draft = after(DRAFT, setFields('guid-2', { type: 'Agents::WebhookAgent' }));
    expect(problemsOf(draft)).toEqual([
      { message: 'Links cannot lead to the webhook Ask.', parts: { links: [TO_ASK] }, isRefused: true },
    ]);
  });

  it('tell of names that templates cannot tell apart, which the server takes', () => {
    const draft = after(
      DRAFT,
      addAction(action(4, 'ASK?'), 'four'),
      addAction(action(5, '?'), '5'),
      addAction(action(6, '!'), '6'),
    );
    expect(problemsOf(draft)).toEqual([
      {
        message: 'Templates cannot tell 2 actions apart: each of them is "ask".',
        parts: { actions: ['guid-2', 'four'] },
        isRefused: false,
      },
    ]);
  });

  it('tell of too many parts', () => {
    const draft = {
      ...DRAFT,
      actions: many(2_001, action(1, '!')),
      links: many(20_001, link),
      notes: many(10_001, { content: '' }),
    };
    expect(problemsOf(draft).map(({ message }) => message)).toEqual([
      'A story may have 2000 actions; this one has 2001.',
      'A story may have 20000 links; this one has 20001.',
      'A story may have 10000 notes; this one has 10001.',
    ]);
  });
});
