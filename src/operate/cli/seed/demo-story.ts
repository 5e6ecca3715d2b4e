import type { JsonObject } from '../../../platform/json.js';

const WEBHOOK = '9a1f0c5de1b04a6f8d2c3b7e5a90d101';
const GREETING = '9a1f0c5de1b04a6f8d2c3b7e5a90d102';
const NAMED = '9a1f0c5de1b04a6f8d2c3b7e5a90d103';
const MAIL = '9a1f0c5de1b04a6f8d2c3b7e5a90d104';

/** Path segment of the demo webhook, unless it is in use. The import creates the secret. */
const DEMO_WEBHOOK_PATH = 'demo';
export const DEMO_STORY_NAME = 'Demo: greet somebody';

/**
 * The story of a first start, in the export format. A webhook request with `{"name": "Ada"}` becomes a greeting;
 * if it has a name, the greeting is mailed. The story needs no service outside this machine.
 */
export const DEMO_STORY: JsonObject = {
  schema_version: 3,
  name: DEMO_STORY_NAME,
  description: 'POST {"name": "Ada"} to the webhook: a greeting is written and mailed.',
  guid: '9a1f0c5de1b04a6f8d2c3b7e5a90d100',
  exported_at: '2026-11-21T00:00:00Z',
  agents: [
    {
      type: 'Agents::WebhookAgent',
      name: 'Receive name',
      disabled: false,
      guid: WEBHOOK,
      options: { path: DEMO_WEBHOOK_PATH, verbs: 'get,post', response: 'Hello! Your mail is on its way.' },
      keep_events_for: 0,
    },
    {
      type: 'Agents::EventTransformationAgent',
      name: 'Write greeting',
      disabled: false,
      guid: GREETING,
      options: {
        mode: 'message_only',
        payload: {
          name: '{{ .receive_name.body.name | capitalize }}',
          greeting: 'Good morning, {{ .receive_name.body.name | capitalize }}. Welcome to Fabula!',
        },
      },
      schedule: null,
      keep_events_for: 0,
    },
    {
      type: 'Agents::TriggerAgent',
      name: 'Has a name',
      disabled: false,
      guid: NAMED,
      options: { rules: [{ type: 'regex', value: '\\S', path: '{{ .write_greeting.name }}' }] },
      keep_events_for: 0,
    },
    {
      type: 'Agents::EmailAgent',
      name: 'Send greeting',
      disabled: false,
      guid: MAIL,
      options: {
        recipients: ['demo@fabula.local'],
        subject: 'Hello {{ .write_greeting.name }}',
        body: '<p>{{ .write_greeting.greeting }}</p><p>This is run {% story_run_guid %}.</p>',
      },
      keep_events_for: 0,
    },
  ],
  diagram_notes: [],
  links: [
    { source: 0, receiver: 1 },
    { source: 1, receiver: 2 },
    { source: 2, receiver: 3 },
  ],
  diagram_layout: JSON.stringify({
    [WEBHOOK]: [0, 0],
    [GREETING]: [0, 105],
    [NAMED]: [0, 210],
    [MAIL]: [0, 315],
  }),
  send_to_story_enabled: false,
  entry_agent_guid: null,
  exit_agent_guids: [],
  exit_agent_guid: null,
  send_to_stories: [],
};
