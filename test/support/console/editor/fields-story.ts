import type { JsonObject } from '../../../../src/platform/json.js';
import { type ShortAgent, storyOf } from '../../stories.js';

const field = (name: string, type: string, values: string[] = []) => ({
  id: 1,
  name,
  description: null,
  result_type: type,
  fixed_values: values,
});
const SUBJECT = field('Subject', 'TEXT');
const VERDICT = field('Verdict', 'TEXT_ENUM', ['malicious', 'clean']);
const SCORE = field('Score', 'NUMBER');

const transformation = (mode: string, options: JsonObject): ShortAgent => [
  'EventTransformation',
  { mode, ...options },
];

const actionsWith = (url: string): Record<string, ShortAgent> => ({
  Receive: [
    'Webhook',
    { path: 'alerts-of-fields', secret: 'open-sesame-fields', verbs: 'post,put', response: { noted: true } },
  ],
  Shape: transformation('message_only', {
    payload: {
      title: '[<<UPCASE(receive.body.severity)>>] <<receive.body.title>>',
      hosts: '=receive.body.hosts',
      tags: ['soc', '<<receive.body.source>>'],
      count: 3,
      urgent: true,
      owner: { name: '<<receive.body.owner.name>>', team: null },
      text: 'Hosts: <<JOIN(receive.body.hosts, ", ")>>\nSeen by <<receive.body.source>>',
    },
  }),
  Explode: transformation('explode', { path: '=receive.body.hosts', to: 'host', limit: 50 }),
  Deduplicate: transformation('deduplicate', {
    path: '<<receive.body.title>>',
    lookback: 1000,
    period: 86_400,
  }),
  Decide: [
    'Trigger',
    {
      rules: [
        { type: 'field==value', path: '<<receive.body.severity>>', value: 'high' },
        { type: 'regex', path: '<<receive.body.title>>', value: 'ransom|wiper', case_sensitive: true },
        { type: 'field!=null', path: '<<receive.body.hosts>>' },
      ],
      must_match: 2,
    },
  ],
  Ask: [
    'HTTPRequest',
    {
      url: `${url}/tickets`,
      method: 'post',
      content_type: 'json',
      payload: { title: '<<receive.body.title>>', hosts: '=receive.body.hosts' },
      headers: { Accept: 'application/json', Authorization: 'Bearer <<CREDENTIAL.tickets>>' },
      query_params: { notify: 'true' },
      timeout: 30,
      retry_on_status: ['429', '500-599'],
      log_error_on_status: ['0', '400-599'],
      disable_redirect_follow: true,
    },
    { schedule: [{ cron: '0 9 * * 1,3', timezone: 'Europe/Dublin' }] },
  ],
  Mail: [
    'Email',
    {
      recipients: ['soc@example.com', 'lead@example.com'],
      reply_to: 'noreply@example.com',
      subject: '<<receive.body.title>>',
      body: '<p>Hosts: <<JOIN(receive.body.hosts, ", ")>></p>',
    },
  ],
  'Call the triage': [
    'SendToStory',
    { story: '<<STORY.alert_triage>>', payload: { alert: '=receive.body' } },
  ],
  'Write the report': [
    'Record',
    { mode: 'create' },
    {
      record_type: { id: 2, name: 'Report', editable: false, record_fields: [SUBJECT, VERDICT, SCORE] },
      record_writers: [
        { formula: '<<receive.body.title>>', include_in_update: false, record_field: SUBJECT },
        { formula: 'malicious', include_in_update: false, record_field: VERDICT },
        { formula: '=LENGTH(receive.body.hosts)', include_in_update: false, record_field: SCORE },
      ],
    },
  ],
  'Ask a model': ['LLM', { prompt: 'Summarise <<receive.body.title>>' }],
});

/** Returns a story with an action for each kind of fields; its request goes to `url`. */
export function fieldsStory(url: string): JsonObject {
  const actions = actionsWith(url);
  const [first = '', ...others] = Object.keys(actions);
  return storyOf(
    actions,
    others.map((name) => `${first} > ${name}`),
    { name: 'Every field' },
  );
}
