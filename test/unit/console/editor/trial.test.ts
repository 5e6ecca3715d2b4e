import type { StoryTrial } from '../../../../clients/typescript/api.js';
import {
  marksOf,
  stepsOf,
  takenIn,
  type TrialStep,
} from '../../../../src/console/pages/editor/trial/trial-marks.js';
import {
  type RequestRule,
  sendingBody,
  toSend,
  trialBody,
} from '../../../../src/console/pages/editor/trial/trial-request.js';
import { createTrialStore, type TrialDone } from '../../../../src/console/pages/editor/trial/trial-store.js';
import { callOf } from '../../../../src/console/pages/editor/trial/call-of-payload.js';
import { endOf, summaryOf } from '../../../../src/console/pages/editor/trial/trial-words.js';
import { sampleQuery } from '../../../../src/console/pages/editor/sample/sample-source.js';
import { entryOf, inputOfPayload } from '../../../../src/console/story-model/entry.js';
import { fromGraph } from '../../../../src/console/story-model/graph-draft.js';
import { action, DRAFT, GRAPH } from '../story-model/drafts.js';

const [RECEIVE, ASK, SEND] = [1, 2, 3].map((id) => ({
  id,
  guid: `guid-${id}`,
  name: ['', 'Receive', 'Ask', 'Send'][id] ?? '',
})) as [Tried, Tried, Tried];

interface Tried {
  id: number;
  guid: string;
  name: string;
}

const at = (tried: Tried, parent: number | null = null) => ({
  story: 'Story',
  action: tried,
  parent_id: parent,
  at_ms: 0,
});
const event = (id: number, tried: Tried, parent: number | null = null, receivers: Tried[] = []) => ({
  ...at(tried, parent),
  id,
  children: [],
  port: 'default' as StoryTrial['events'][number]['port'],
  receivers,
  payload: { id },
});
const request = (tried: Tried, method: string, url: string, from: string) =>
  ({
    ...at(tried, 1),
    method,
    url,
    headers: {},
    body: null,
    status: 200,
    reason: null,
    response_from: from,
  }) as StoryTrial['requests'][number];

function trialOf(more: Partial<StoryTrial>): StoryTrial {
  const none = { requests: [], mails: [], records: [], prompts: [], calls: [], errors: [], logs: [] };
  return {
    ok: true,
    story_id: 12,
    story_run_guid: null,
    difference: null,
    events: [],
    silent: [],
    ...none,
    waiting: [],
    unanswered: [],
    missing: { credentials: [], resources: [] },
    not_runnable: [],
    stopped: null,
    not_taken: [],
    left_out: [],
    took_ms: 1,
    ...more,
  };
}

const RULE: RequestRule = {
  key: 'a',
  method: 'POST',
  url: ' https://a.test/* ',
  status: 201,
  body: '{"a":1}',
};

describe('the request of a trial', () => {
  it('names the draft, the run and the rules with a URL', () => {
    const rules = [RULE, { ...RULE, url: ' ' }, { ...RULE, method: '', status: 0 }];
    expect(trialBody({ storyId: 1, draftId: 2 }, { kind: 'run', guid: 'g' }, rules)).toEqual({
      draft_id: 2,
      run_guid: 'g',
      responses: [
        {
          method: 'POST',
          url: 'https://a.test/*',
          status: 201,
          answer: '{"a":1}',
          headers: { 'content-type': 'application/json' },
        },
        { url: 'https://a.test/*', status: 0 },
      ],
    });
  });

  it('begins at an action with an event or a payload', () => {
    const place = { storyId: 1, draftId: undefined };
    expect(trialBody(place, { kind: 'event', id: 5, action: 'x' }, [])).toEqual({
      story_id: 1,
      event_id: 5,
      action: 'x',
    });
    expect(trialBody(place, { kind: 'payload', event: { body: {} }, action: undefined }, [])).toEqual({
      story_id: 1,
      event: { body: {} },
    });
  });

  it('begins at an event of a run, whose responses answer', () => {
    const place = { storyId: 1, draftId: undefined };
    expect(trialBody(place, { kind: 'run', guid: 'g', eventId: 5, action: 'x' }, [])).toEqual({
      story_id: 1,
      run_guid: 'g',
      event_id: 5,
      action: 'x',
    });
  });
});

describe('what is really sent', () => {
  const requests = [
    request(ASK, 'GET', 'https://a.test/1', 'recorded'),
    request(ASK, 'GET', 'https://a.test/2', 'none'),
    request(ASK, 'POST', 'https://b.test:8443/', 'recorded'),
    request(ASK, 'DELETE', 'https://c.test/', 'rule'),
  ];

  it('is listed by method and host, without what a rule answers', () => {
    expect(toSend({ requests })).toEqual([
      { method: 'GET', host: 'a.test', count: 2 },
      { method: 'POST', host: 'b.test:8443', count: 1 },
    ]);
  });

  it('is nothing of an HTTP action that was not listed', () => {
    const http = { type: 'Agents::HTTPRequestAgent' };
    const agents = [action(1, 'Receive'), action(2, 'Ask', http), action(3, 'Send', http)];
    const { actions } = fromGraph({ ...GRAPH, agents });
    const body = trialBody({ storyId: 1, draftId: 2 }, { kind: 'run', guid: 'g' }, [RULE]);
    const sent = sendingBody(body, { requests }, { ...DRAFT, actions });
    expect(sent).toMatchObject({ draft_id: 2, run_guid: 'g', send: true });
    expect(sent.responses?.slice(1)).toEqual([
      { action: 'guid-3', url: '*', status: 0, answer: 'Not confirmed for sending' },
    ]);
    expect(body).not.toHaveProperty('send');
  });
});

describe('the marks of a trial', () => {
  it('say of each action whether it ran, differs, failed or was not reached', () => {
    const changed = { action: ASK, added: [], missing: [], changed: [], errors: null };
    const difference = { same: false, count: 1, actions: [changed], varying: [] };
    const ran = trialOf({ events: [event(1, RECEIVE), event(2, ASK, 1)] });
    expect([...marksOf(ran, DRAFT)]).toEqual([
      ['guid-1', 'ran'],
      ['guid-2', 'ran'],
      ['guid-3', 'not reached'],
    ]);
    expect(marksOf({ ...ran, difference }, DRAFT).get('guid-2')).toBe('differs');
    const errors = [{ ...at(ASK, 1), error: 'no' }];
    expect(marksOf({ ...ran, difference, errors }, DRAFT).get('guid-2')).toBe('failed');
  });

  it('know that a receiver of an event ran though it emitted none', () => {
    const events = [event(1, RECEIVE, null, [ASK])];
    expect(marksOf(trialOf({ events }), DRAFT).get('guid-2')).toBe('ran');
    expect(marksOf(trialOf({ events, stopped: 'too long' }), DRAFT).get('guid-2')).toBe('not reached');
    expect(marksOf(trialOf({ silent: [at(ASK, 1)] }), DRAFT).get('guid-2')).toBe('ran');
  });

  it('say that an action failed whose failure link took the error', () => {
    const events = [{ ...event(2, ASK, 1, [SEND]), port: 'failure' as const }];
    expect(marksOf(trialOf({ events }), DRAFT).get('guid-2')).toBe('failed');
  });
});

describe('the links that a trial took', () => {
  const [ofDefault, ofFailure] = [...DRAFT.links.keys()];

  it('are those of the port of each event, to what received it', () => {
    const failed = { ...event(2, ASK, 1, [SEND]), port: 'failure' as const };
    expect([...takenIn({ events: [event(1, RECEIVE, null, [ASK])] }, DRAFT)]).toEqual([ofDefault]);
    expect([...takenIn({ events: [failed] }, DRAFT)]).toEqual([ofFailure]);
    expect([...takenIn({ events: [event(1, RECEIVE)] }, DRAFT)]).toEqual([]);
  });

  it('are of one port alone where two lead to the same action', () => {
    const links = [...GRAPH.links, { source: 1, receiver: 2 }];
    const both = fromGraph({ ...GRAPH, links });
    const taken = (port: 'default' | 'failure' | null) =>
      [...takenIn({ events: [{ ...event(2, ASK, 1, [SEND]), port }] }, both)].length;
    expect([taken('default'), taken('failure'), taken(null)]).toEqual([1, 1, 2]);
  });
});

const shown = (step: TrialStep) =>
  step.kind === 'error'
    ? step.error
    : step.kind === 'silent'
      ? `nothing of ${step.action?.name}`
      : [step.event.id, step.changes.length, step.isAdded];

describe('the steps of a trial', () => {
  it('have the changes of each event, and a failure behind the event that it is of', () => {
    const changes = [{ path: 'text', before: 'a', after: 'b' }];
    const ofAsk = {
      action: ASK,
      added: [],
      missing: [],
      changed: [{ event_id: 2, past_event_id: 9, changes }],
      errors: null,
    };
    const ofSend = { action: SEND, added: [3], missing: [], changed: [], errors: null };
    const steps = stepsOf(
      trialOf({
        events: [event(1, RECEIVE), event(2, ASK, 1), event(3, SEND, 2)],
        errors: [
          { ...at(SEND, 1), error: 'later' },
          { ...at(ASK), error: 'first' },
        ],
        difference: { same: false, count: 2, actions: [ofAsk, ofSend], varying: [] },
      }),
    );
    expect(steps.map(shown)).toEqual(['first', [1, 0, false], 'later', [2, 1, false], [3, 0, true]]);
  });

  it('tell of an action that ended without an event', () => {
    const steps = stepsOf(trialOf({ events: [event(1, RECEIVE)], silent: [at(ASK, 1)] }));
    expect(steps.map(shown)).toEqual([[1, 0, false], 'nothing of Ask']);
  });

  it('are summed up in words', () => {
    const same = { same: true, count: 0, actions: [], varying: [] };
    expect(summaryOf(trialOf({}))).toBe('completed');
    expect(summaryOf(trialOf({ difference: same }))).toBe('no difference from the run');
    const two = trialOf({ ok: false, unanswered: ['GET a'], difference: { ...same, same: false, count: 2 } });
    expect(summaryOf(two)).toBe('2 differences from the run, 1 request without a response');
    expect([trialOf({}), two, { ...two, ok: true }].map((trial) => endOf(trial).word)).toEqual([
      'ran',
      'incomplete',
      'differs',
    ]);
  });
});

const done = (name: string): TrialDone => ({
  kind: 'action',
  key: name,
  name,
  trial: {} as never,
  isCut: false,
  draft: DRAFT,
});

describe('the trials of a story', () => {
  it('are cancelled by a newer one, whose result counts', async () => {
    const store = createTrialStore();
    let finishFirst: ((result: TrialDone) => void) | undefined;
    let signal: AbortSignal | undefined;
    const older = store.getState().run((given) => {
      signal = given;
      return new Promise<TrialDone>((resolve) => {
        finishFirst = resolve;
      });
    });
    await store.getState().run(async () => done('second'));
    finishFirst?.(done('first'));
    expect(await older).toBeUndefined();
    expect(signal?.aborted).toBe(true);
    expect(store.getState()).toMatchObject({ isRunning: false, done: { name: 'second' } });
  });

  it('can be stopped; what failed says why', async () => {
    const store = createTrialStore();
    const stopped = store.getState().run(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    store.getState().stop();
    expect(await stopped).toBeUndefined();
    expect(store.getState()).toMatchObject({ isRunning: false, error: undefined, done: undefined });
    await store.getState().run(() => Promise.reject(new Error('no draft')));
    expect(store.getState().error).toEqual(new Error('no draft'));
  });
});

const hook = (options: Record<string, unknown> = {}) => ({ options });

describe('the call that sends a payload', () => {
  const POST = { verbs: ['GET', 'POST'] };

  it('has the body and the headers of the event', () => {
    const payload = { headers: { 'x-event': 'push', list: [1] }, body: { a: 1 } };
    expect(callOf(payload, hook(), POST)).toEqual({ headers: { 'x-event': 'push' }, body: { a: 1 } });
  });

  it('has the whole event as its body if the webhook leaves headers out', () => {
    expect(callOf({ body: 1, a: 2 }, hook({ include_headers: false }), POST)).toEqual({
      body: { body: 1, a: 2 },
    });
    expect(callOf({ a: 2 }, hook(), POST)).toEqual({ body: { a: 2 } });
  });

  it('has parameters where no body is accepted', () => {
    expect(callOf({ body: { a: 1 } }, hook(), { verbs: ['GET'] })).toEqual({ query: { a: 1 } });
  });
});

describe('a saved payload', () => {
  it('is the event of the webhook for the actions behind it', () => {
    const entry = entryOf(DRAFT);
    expect(entry?.name).toBe('Receive');
    const saved = inputOfPayload(entry, { body: { host: 'a' } });
    expect(saved).toEqual({ receive: { body: { host: 'a' } } });
    expect(sampleQuery({ kind: 'saved', name: 'x' }, 'guid-2', saved)).toEqual({ event: saved });
  });

  it('is the input of a story without a webhook', () => {
    const agents = GRAPH.agents.map((each) => ({ ...each, type: 'Agents::TriggerAgent' }));
    const entry = entryOf(fromGraph({ ...GRAPH, agents }));
    expect(entry?.name).toBe('Receive');
    expect(inputOfPayload(entry, { a: 1 })).toEqual({ a: 1 });
  });
});
