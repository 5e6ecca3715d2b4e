import type { AgentResult } from '../../src/agents/agent.js';
import { AGENT_TYPES, checkOptions, findAgentType, runnable } from '../../src/agents/index.js';
import { runAgent } from '../../src/agents/options/options.js';
import { PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { QUEUES } from '../../src/engine/dispatch/jobs.js';
import { agentContext, recordingMailer } from '../support/agent-context.js';

/** For each type: options that run, with numbers and booleans as text. */
const EXAMPLES: Record<string, JsonObject> = {
  'Agents::WebhookAgent': {
    path: 'p',
    secret: 's',
    verbs: 'get,post',
    response_code: '201',
    include_headers: 'false',
  },
  'Agents::EventTransformationAgent': {
    mode: 'explode',
    path: ['a', 'b', 'c'],
    to: 'x',
    limit: '2',
    loop: 'false',
  },
  'Agents::TriggerAgent': {
    rules: [{ type: 'regex', path: 'a', value: 'A', case_sensitive: 'false' }],
    must_match: '1',
    emit_no_match: 'true',
  },
  'Agents::HTTPRequestAgent': {
    url: 'https://example.com/',
    method: 'POST',
    payload: { n: 1 },
    headers: { a: 1 },
    timeout: '5',
    disable_ssl_verification: 'true',
    disable_redirect_follow: 'false',
    emit_failure_event: 'true',
    fail_on_status: 'true',
    log_error_on_status: ['400-499', 500],
    retry_on_status: ['429'],
    pagination: 'false',
  },
  'Agents::EmailAgent': { recipients: 'a@example.com', subject: 5, body: true, advanced_html: 'true' },
  'Agents::SendToStoryAgent': { story: 5, payload: { n: 1 }, send_payload_as_body: 'false' },
  'Agents::RecordAgent': {
    mode: 'Create',
    record_type: { name: 'Host' },
    record_writers: [{ formula: 1, include_in_update: 'false', record_field: { name: 'Name' } }],
  },
};

const http = {
  request: () =>
    Promise.resolve({
      answered: true as const,
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('ok'),
    }),
  close: () => Promise.resolve(),
};

/** Parts of a result that are stored sooner or later. */
function payloadsOf(result: AgentResult): JsonValue[] {
  if ('outputs' in result) return result.outputs.map(({ payload }) => payload);
  if ('gather' in result) return [result.gather.item];
  if ('call' in result) return [result.call.payload];
  return 'claim' in result ? result.granted.map(({ payload }) => payload) : [];
}

describe.each([...AGENT_TYPES.values()].map((agent) => [agent.type, agent] as const))('%s', (type, agent) => {
  const example = EXAMPLES[type] ?? {};
  const run = async (options: JsonObject) => {
    const { context, logs } = agentContext({ http, mailer: recordingMailer() });
    return { ...(await runAgent(agent, options, context)), logs };
  };

  test('is found by its name and knows its queue', () => {
    expect(findAgentType(type)).toBe(agent);
    expect(type).toMatch(/^Agents::\w+Agent$/);
    expect(agent.queue === undefined || QUEUES.includes(agent.queue)).toBe(true);
  });

  test('has an example here that may be imported and run', () => {
    expect(EXAMPLES).toHaveProperty([type]);
    expect(checkOptions(type, example)).toEqual([]);
    expect(runnable(type, example)).toBeUndefined();
  });

  test('runs with numbers and booleans given as text, and with options it does not know', async () => {
    const options = { ...example, expected_update_period_in_days: '2', unknown: { deep: [1] } };
    if (agent.queue === undefined) await expect(run(options)).rejects.toBeInstanceOf(PermanentJobError);
    else expect(payloadsOf(await run(options)).length).toBeGreaterThan(0);
  });

  test('changes nothing it is given and gives the same for the same', async () => {
    if (agent.queue === undefined) return;
    const options = structuredClone(example);
    const first = await run(options);
    expect(options).toEqual(example);
    expect(await run(options)).toEqual(first);
  });

  test('gives payloads that survive being stored', async () => {
    if (agent.queue === undefined) return;
    const payloads = payloadsOf(await run(example));
    expect(JSON.parse(JSON.stringify(payloads))).toEqual(payloads);
  });

  test('names the wrong option, and keeps its value to itself', async () => {
    const wrong = Object.fromEntries(Object.keys(example).map((key) => [key, { secret: 'hush' }]));
    const error: unknown = await run(wrong).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PermanentJobError);
    expect((error as Error).message).not.toContain('hush');
  });

  test('lets templates stand for anything at import', () => {
    for (const template of ['{{ .a.b }}', '{% if a %}1{% endif %}', '<<a.b>>', '=a.b']) {
      const options = Object.fromEntries(Object.keys(example).map((key) => [key, template]));
      expect(
        checkOptions(type, { ...options, ...(type.includes('Transformation') ? { mode: 'explode' } : {}) }),
      ).toEqual([]);
    }
  });
});

describe('options at import', () => {
  test.each<[string, JsonObject, string[]]>([
    ['Trigger', { rules: 5 }, ['rules']],
    ['Trigger', { rules: 'text' }, ['rules']],
    ['Trigger', { rules: ['{{.a}}', 7] }, ['rules[1]']],
    ['Trigger', { rules: [], must_match: 'all' }, ['must_match']],
    ['Trigger', { rules: [{ type: 'new type' }] }, []],
    ['Trigger', {}, []],
    ['EventTransformation', { mode: 'explode', path: 'x', to: 'y', limit: 'many' }, ['limit']],
    ['EventTransformation', { mode: 'explode', path: 'x', to: [], limit: '5' }, ['to']],
    ['EventTransformation', { mode: 'explode' }, []],
    ['EventTransformation', { mode: 5 }, ['mode']],
    ['EventTransformation', { mode: 'extract', matchers: 'x' }, ['matchers']],
    ['EventTransformation', { mode: 'delay', seconds: {} }, ['seconds']],
    ['HTTPRequest', { url: 5, method: [] }, ['url', 'method']],
    ['HTTPRequest', { url: '', headers: '', basic_auth: '', log_error_on_status: [] }, []],
    ['HTTPRequest', { url: 'x', headers: [] }, ['headers']],
    ['HTTPRequest', { url: 'x', pagination: false }, []],
    ['HTTPRequest', { url: 'x', pagination: { has_more: '=a', output_as_single_event: '' } }, []],
    ['HTTPRequest', { url: 'x', pagination: 5 }, ['pagination']],
    ['HTTPRequest', { url: 'x', disable_ssl_verification: 'maybe' }, ['disable_ssl_verification']],
    ['Email', { recipients: 5 }, ['recipients']],
    ['Email', { recipients: [], cc: '', attachments: [] }, []],
    ['Webhook', { secret: 5, include_headers: [] }, ['include_headers']],
    ['Unknown', { anything: {} }, []],
  ])('%s %j are wrong in %j', (name, options, wrong) => {
    expect(checkOptions(`Agents::${name}Agent`, options).map(({ details }) => details)).toEqual(wrong);
  });

  test.each<[string, JsonObject, RegExp]>([
    ['RecordAgent', { mode: 'update' }, /"update" is not supported/],
    ['FormAgent', {}, /forms/],
    ['IMAPAgent', {}, /mailboxes/],
    ['RunScriptAgent', {}, /scripts/],
    ['BrandNewAgent', {}, /Agents::BrandNewAgent/],
    ['EventTransformationAgent', { mode: 'automatic' }, /automatic/],
    ['EventTransformationAgent', {}, /mode/],
  ])('Agents::%s %j can only be stored, with a reason', (type, options, reason) => {
    expect(runnable(`Agents::${type}`, options)).toMatch(reason);
  });
});
