import type { JsonObject } from '../../src/platform/json.js';
import { checkStoryText } from '../../src/stories/check/check-task.js';
import { agent, smallExport } from '../support/stories.js';

/** Checks a story of formulas with one action. */
function check(type: string, options: JsonObject, more: JsonObject = {}) {
  const report = checkStoryText(
    JSON.stringify(
      smallExport({
        schema_version: 30,
        standard_lib_version: '90',
        agents: [agent(`Agents::${type}`, '1', options, more)],
        links: [],
        diagram_layout: '{}',
      }),
    ),
  );
  const [action] = report.story?.actions ?? [];
  const found = (action?.findings ?? [])
    .filter(({ level }) => level !== 'hint')
    .map(({ level, option, message }) => `${level} ${option}: ${message}`);
  return { ok: report.ok, state: action?.state, found };
}

const transform = (mode: string, options: JsonObject) =>
  ['EventTransformationAgent', { mode, ...options }] as [string, JsonObject];
const http = (options: JsonObject) =>
  ['HTTPRequestAgent', { url: 'https://a.example', ...options }] as [string, JsonObject];

function ruled(rule: JsonObject) {
  return check('TriggerAgent', { rules: [{ type: 'field==value', ...rule }] });
}

describe('I2: the check names rules that compare a credential', () => {
  const signature = 'HMAC_SHA256(hook.raw_body, CREDENTIAL.key)';

  it.each<[string, JsonObject]>([
    ['rules[0].path', { path: `=${signature}`, value: '<<hook.headers["x-sig"]>>' }],
    ['rules[0].value', { path: '<<hook.headers["x-token"]>>', value: '<<CREDENTIAL.token>>' }],
    ['rules[0].value[1]', { type: 'in', path: '<<hook.sig>>', value: ['a', `sha256=<<${signature}>>`] }],
  ])('in %s', (place, rule) => {
    const { ok, found } = ruled(rule);
    expect(found.join('\n')).toContain(
      `warning ${place}: a rule cannot read a credential; to compare one, use`,
    );
    expect(ok).toBe(true);
  });

  it.each<[string, JsonObject]>([
    [
      'a signature that a function verifies',
      { path: '=HMAC_VERIFY(hook.raw_body, hook.sig, CREDENTIAL.key)', value: 'true' },
    ],
    [
      'a signature with a key in the story',
      { path: '=HMAC_SHA256(hook.raw_body, "key")', value: '<<hook.sig>>' },
    ],
  ])('but not %s', (_, rule) => {
    expect(ruled(rule).found).toEqual([]);
  });
});

describe('A3 clients: the check names what makes every run of an action fail', () => {
  it.each<[string, JsonObject, string]>([
    ['HTTPRequestAgent', {}, 'url: option url is required'],
    ['HTTPRequestAgent', { url: '' }, 'url: option url is required'],
    ['EmailAgent', {}, 'recipients: option recipients is required'],
    ['EmailAgent', { recipients: [] }, 'recipients: recipients: no mail address'],
    ['EmailAgent', { recipients: 'nobody' }, 'recipients: recipients: no mail address that is valid'],
    ['EmailAgent', { recipients: 'a@b.example', attachments: 'text' }, 'attachments: attachments[0] must be'],
    ['TriggerAgent', {}, 'rules: option rules is required'],
    ['TriggerAgent', { rules: [{}] }, 'rules[0].type: option rules[0].type is required'],
    ['SendToStoryAgent', { payload: {} }, 'story: option story is required'],
    ['RecordAgent', {}, 'record_type: option record_type is required'],
    [...transform('explode', { path: '=a' }), 'to: option to is required'],
    [...transform('extract', {}), 'matchers: option matchers is required'],
    [...transform('delay', {}), 'until: option seconds or until is required'],
    [...transform('delay', { until: 'soon' }), 'until: option until must be a time'],
    [...transform('implode', { guid_path: '=a' }), 'size_path: option size_path is required'],
    [...transform('throttle', {}), 'capacity: option capacity is required'],
    [
      ...transform('throttle', { capacity: 1, interval: 'fortnight' }),
      'interval: option interval is not one',
    ],
    [...http({ url: 'not a url' }), 'url: url: not an address that starts with http:// or https://'],
    [...http({ url: 'ftp://a.example' }), 'url: url: not an address that starts with'],
    [...http({ method: 'nope' }), 'method: method: use get, post'],
    [...http({ method: 'trace' }), 'method: method: use get, post'],
    [...http({ content_type: 'no type' }), 'content_type: content_type: use json'],
    [...http({ timeout: 9000 }), 'timeout: option timeout must be less than'],
    [...http({ params_encoder: 'none' }), 'params_encoder: option params_encoder is not one'],
    [...http({ retry_on_status: ['5xx'] }), 'retry_on_status: retry_on_status: "5xx" is neither'],
    [...http({ fail_on_status: ['all'] }), 'fail_on_status: fail_on_status: "all" is neither'],
    [...http({ headers: { 'a b': 'x', other: '<<a>>' } }), 'headers: headers: "a b" cannot be'],
    [...http({ basic_auth: 'ada' }), 'basic_auth: basic_auth'],
    [...http({ method: 'get', payload: [1] }), 'payload: payload: a list cannot be sent'],
    [...http({ pagination: { output_as_single_event: true } }), 'pagination: option pagination.has_more is'],
    [...http({ mutual_tls: 'mine' }), 'mutual_tls: mutual_tls: set exactly one credential'],
    [...transform('throttle', { capacity: 1, loop: '=a' }), 'loop: this action type cannot loop'],
  ])('%s %j', (type, options, fault) => {
    const { ok, state, found } = check(type, options);
    expect(found.join('\n')).toContain(`error ${fault}`);
    expect({ ok, state }).toEqual({ ok: false, state: 'fails' });
  });

  it.each<[string, JsonObject]>([
    ['HTTPRequestAgent', { url: '<<a.url>>', method: '=a.method', timeout: '=a.time' }],
    ['HTTPRequestAgent', { url: '=a', headers: '=b', retry_on_status: '=c', basic_auth: ['<<a>>', ''] }],
    ['EmailAgent', { recipients: ['<<a.mail>>'], attachments: '=a.files' }],
    ['EmailAgent', { recipients: [], cc: 'ada@a.example' }],
    ['TriggerAgent', { rules: [{ type: '<<a.rule>>', path: '=a', value: '=b' }] }],
    ['TriggerAgent', { rules: '=a.rules' }],
    ['EventTransformationAgent', { mode: '<<a.mode>>', seconds: 5 }],
    ['EventTransformationAgent', { mode: 'implode', guid_path: '=a', seconds: '=a.seconds' }],
    ['EventTransformationAgent', { mode: 'delay', seconds: '=a.seconds' }],
    ['EventTransformationAgent', { mode: 'message_only', any: 'name', is: 'the payload' }],
    ['HTTPRequestAgent', { url: 'https://a.example', loop: false, pagination: false, method: 'list' }],
  ])('and does not judge a value with a template, or one that runs: %s %j', (type, options) => {
    expect(check(type, options)).toEqual({ ok: true, state: 'runs', found: [] });
  });

  it.each<[string, JsonObject, string, boolean]>([
    ['Nope', {}, 'error type: this server has no action type Agents::Nope', false],
    [
      'EventTransformationAgent',
      { mode: 'bad' },
      'error mode: the transformation mode "bad" is unknown',
      false,
    ],
    ['EventTransformationAgent', {}, 'error mode: an event transformation must have a mode', false],
    ['LLMAgent', {}, 'warning type: this server does not call language models', true],
    ['RecordAgent', { mode: 'lookup' }, 'warning mode: a story can only create records', true],
    [
      'EventTransformationAgent',
      { mode: 'automatic' },
      'warning mode: the transformation mode "automatic"',
      true,
    ],
  ])('and what is only stored: %s %j', (type, options, finding, isOk) => {
    const { ok, state, found } = check(type, options);
    expect(found.join('\n')).toContain(finding);
    expect({ ok, state }).toEqual({ ok: isOk, state: 'import_only' });
  });
});

describe('A3 clients: the check names options without an effect', () => {
  it.each<[string, JsonObject, string]>([
    ['HTTPRequestAgent', { url: '=a', Method: 'get' }, 'Method: unknown option: did you mean method?'],
    [
      'HTTPRequestAgent',
      { url: '=a', contentType: 'xml' },
      'contentType: unknown option: did you mean content_type?',
    ],
    ['HTTPRequestAgent', { url: '=a', bodyy: 1 }, 'bodyy: unknown option'],
    ['TriggerAgent', { rules: [{ type: 'formula', pth: '=a' }] }, 'rules[0].pth: unknown option'],
    [
      'EmailAgent',
      { recipients: 'a@example.com', attachments: [{ filename: 'a', base64EncodedContents: 'YQ==' }] },
      'attachments[0].base64EncodedContents: unknown option: did you mean base64encodedcontents?',
    ],
    [
      'EmailAgent',
      { recipients: 'a@example.com', attachments: { name: 'a', base64encodedcontents: 'YQ==' } },
      'attachments.name: unknown option',
    ],
    ['WebhookAgent', { path: 'a', secret: 'long-enough-secret', verb: 'get' }, 'verb: unknown option'],
    ['EventTransformationAgent', { mode: 'message_only', payload: 1, status: 2 }, 'status: unknown option'],
  ])('%s %j', (type, options, warning) => {
    const { found } = check(type, options);
    expect(found).toEqual([expect.stringContaining(`warning ${warning}`)]);
  });

  it('A8 clients: among them headers of a response that are never sent', () => {
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Credentials': 'true',
      'Set-Cookie': 'a=b',
      'x-own': '1',
      'content-type': 'text/plain',
    };
    const webhook = { path: 'a', secret: 'long-enough-secret', response_headers: headers };
    expect(check('WebhookAgent', webhook).found).toEqual([
      'warning response_headers.Access-Control-Allow-Credentials: this option has no effect on this server',
      'warning response_headers.Set-Cookie: this option has no effect on this server',
    ]);
    const templated = { ...webhook, response_headers: { 'Access-Control-Allow-Origin': '<<a>>' } };
    expect(check('WebhookAgent', templated).found).toHaveLength(1);
    expect(check('WebhookAgent', { ...webhook, response_headers: {}, cors: 'nowhere' }).ok).toBe(false);
  });

  it('but not settings of the editor, which exports hold', () => {
    const settings = { expected_update_period_in_days: '2', manual_time: 90, local: { a: 1 } };
    expect(check('HTTPRequestAgent', { url: '=a', ...settings }).found).toEqual([]);
  });
});

describe('L6: the option loop', () => {
  it.each<[JsonObject]>([[{ loop: 'items' }], [{ loop: 5 }], [{ loop: true }], [{ loop: '7' }]])(
    'is named if it can be no list: %j',
    (options) => {
      const fault = 'error loop: option loop must be a list or an object';
      expect(check(...http(options)).found).toEqual([fault]);
      expect(check('SendToStoryAgent', { story: 'S', ...options }).found).toEqual([fault]);
    },
  );

  it.each<[JsonObject]>([
    [{ loop: '=a.items' }],
    [{ loop: [1] }],
    [{ loop: { a: 1 } }],
    [{ loop: ' ["a"]' }],
    [{ loop: '' }],
    [{ loop: false }],
  ])('is not named if it may be one: %j', (options) => {
    expect(check(...http(options)).found).toEqual([]);
  });

  it('has no effect on a webhook, which the check says', () => {
    const webhook = { path: 'a', secret: 'long-enough-secret' };
    expect(check('WebhookAgent', { ...webhook, loop: '<<a.b>>' }).found).toEqual([
      'warning loop: this option has no effect on this server',
    ]);
  });
});

describe('L5: a rule of a trigger', () => {
  it('of an unknown type is named', () => {
    const { ok, found } = check('TriggerAgent', { rules: [{ type: 'formula' }, { type: 'matches' }] });
    expect(ok).toBe(false);
    expect(found).toEqual(['error rules[1].type: option rules[1]: unknown rule type "matches"']);
  });

  it('may say that a formula is false', () => {
    expect(check('TriggerAgent', { rules: [{ type: '!formula', path: '=a' }] }).ok).toBe(true);
  });
});
