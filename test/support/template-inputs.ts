import type { JsonObject } from '../../src/platform/json.js';
import { storyOf } from './stories.js';

/** An action as a library of templates makes it: its options name inputs, of which `messageStory` has the values. */
const SEND_A_MESSAGE: JsonObject = {
  url: 'https://chat.test/api/post',
  content_type: 'json',
  method: 'post',
  payload: '=LOCAL.final_payload',
  headers: { Authorization: 'Bearer <<INPUT.chat_credential>>' },
  local: {
    all_options: {
      channel: '<<INPUT.channel_user_id>>',
      text: '<<INPUT.message>>',
      icon_emoji: '<<INPUT.icon_emoji>>',
      link_names: '=INPUT.link_names',
      thread_ts: '"<<INPUT.thread_timestamp>>"',
      metadata: '=INPUT.metadata',
    },
    final_payload: '=REJECT(LOCAL.all_options, LAMBDA(item, OR(item = NULL, IS_EMPTY(item))))',
  },
};

/** A template input in the form of an export. */
export function templateInput(name: string, type: string, value: string): JsonObject {
  return { name, description: '', required: false, type, value, options: ['Option 1'], is_collapsed: true };
}

export const MESSAGE_INPUTS: JsonObject[] = [
  templateInput('Channel / User ID', 'TEXT', '"C094Y3UPAMA"'),
  templateInput('Message', 'TEXT', '"<<hook.user>> did <<UPCASE(hook.what)>>"'),
  templateInput('Chat Credential', 'CREDENTIAL', '"=CREDENTIAL.chat_bot"'),
  templateInput('Icon emoji', 'TEXT', '""'),
  templateInput('Link names?', 'BOOLEAN', 'true'),
  templateInput('Thread timestamp', 'TEXT', '""'),
  templateInput('Metadata', 'OBJECT', '{"kind":"<<INPUT.message>>"}'),
];

/** A story whose second action was made from a template: what it sends stands in `integrations`. */
export function messageStory(overrides: JsonObject = {}, options: JsonObject = {}) {
  const story = storyOf(
    {
      Hook: ['Webhook', { include_headers: false }],
      'Send a message': ['HTTPRequest', { ...SEND_A_MESSAGE, ...options }],
    },
    ['Hook > Send a message'],
    { schema_version: 26 },
  );
  const [, sender] = story.agents as JsonObject[];
  return {
    ...story,
    integrations: [
      {
        action_guid: sender?.guid ?? '',
        action_options_keys: [],
        action_inputs: MESSAGE_INPUTS,
        product: 'chat',
      },
    ],
    ...overrides,
  };
}
