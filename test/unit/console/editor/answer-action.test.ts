import {
  answerAction,
  answersOf,
  responseIn,
  withAnswer,
} from '../../../../src/console/pages/editor/webhook/answer-action.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';

const webhook = { type: 'Agents::WebhookAgent', name: 'Take in', guid: 'a', options: {} };
const draftOf = (...names: string[]) =>
  createEditorStore({
    graph: {
      story_id: 7,
      version: 1,
      agents: [webhook, ...names.map((name) => ({ ...webhook, name, guid: name }))],
      links: [],
      notes: [],
    } as never,
    etag: '"1"',
  }).getState().draft;
const silent = {
  synchronous_webhooks_enabled: false,
  api_entry_action_ids: [] as number[],
  api_exit_action_ids: [] as number[],
  exit_agents: [] as number[],
};
const waiting = { ...silent, synchronous_webhooks_enabled: true };

describe('an action that answers a webhook', () => {
  it('has the first text of the sample', () => {
    const body = { n: 1, name: 'Ada' };
    const answer = answerAction(draftOf(), webhook, { body, language: 'formula' });
    expect(answer).toEqual({
      type: 'Agents::EventTransformationAgent',
      name: 'Answer',
      options: { mode: 'message_only', payload: { message: 'Received <<take_in.body.name>>' } },
    });
    const { options } = answerAction(draftOf(), webhook, { body, language: 'liquid' });
    expect(options['payload']).toEqual({ message: 'Received {{ take_in.body.name }}' });
  });

  it('has the whole body where no text is known, and a name of its own', () => {
    const { name, options } = answerAction(draftOf('Answer'), webhook, { body: [1], language: 'formula' });
    expect([name, options['payload']]).toEqual(['Answer 2', { message: 'Received <<take_in.body>>' }]);
  });
});

describe('the settings of an answer', () => {
  it('make this webhook wait, and leave others as they are', () => {
    expect(withAnswer(silent, 1, 2)).toEqual({
      synchronous_webhooks_enabled: true,
      api_entry_action_ids: [1],
      api_exit_action_ids: [2],
    });
    expect(withAnswer({ ...waiting, exit_agents: [9] }, 1, 2)).toMatchObject({
      api_entry_action_ids: [],
      api_exit_action_ids: [9, 2],
    });
    expect(
      withAnswer({ ...waiting, api_entry_action_ids: [5], api_exit_action_ids: [6] }, 1, 2),
    ).toMatchObject({ api_entry_action_ids: [5, 1], api_exit_action_ids: [6, 2] });
  });

  it('tell whose event callers get', () => {
    expect(answersOf({ ...silent, exit_agents: [9] }, 1)).toEqual([]);
    expect(answersOf({ ...waiting, exit_agents: [9] }, 1)).toEqual([9]);
    expect(answersOf({ ...waiting, exit_agents: [9], api_exit_action_ids: [2] }, 1)).toEqual([2]);
    expect(answersOf({ ...waiting, exit_agents: [9], api_entry_action_ids: [5] }, 1)).toEqual([]);
  });
});

test.each([
  [{ message: 'Hi' }, 200, { message: 'Hi' }],
  [{ status: 404, body: 'none', headers: {} }, 404, 'none'],
  [{ status: '418', body: null }, 418, null],
  [{ status: 404, body: 'none', more: 1 }, 200, { status: 404, body: 'none', more: 1 }],
  [{ status: 99, body: 1 }, 200, { status: 99, body: 1 }],
  [[1], 200, [1]],
])('the payload %j is a response of %s', (payload, status, body) => {
  expect(responseIn(payload)).toEqual({ status, body });
});
