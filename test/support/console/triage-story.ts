import type { JsonObject } from '../../../src/platform/json.js';
import { type ShortAgent, storyOf } from '../stories.js';

const says = (payload: JsonObject): ShortAgent => ['EventTransformation', { mode: 'message_only', payload }];

const agentsWith = (hostsUrl: string): Record<string, ShortAgent> => ({
  'Receive alert': ['Webhook', {}],
  'Only new ones': [
    'EventTransformation',
    { mode: 'deduplicate', path: '<<receive_alert.body.n>>', lookback: 1000, period: 86_400 },
  ],
  'Is it high?': [
    'Trigger',
    { rules: [{ type: 'field==value', path: '<<receive_alert.body.severity>>', value: 'high' }] },
  ],
  'Look up the host': [
    'HTTPRequest',
    {
      url: `${hostsUrl}/hosts/<<receive_alert.body.name>>`,
      method: 'post',
      content_type: 'json',
      headers: { Accept: 'application/json', 'X-Trace': '<<META.story_run_guid>>' },
      payload: { host: '<<receive_alert.body.name>>', with: ['owner', 'patches', 'tickets'] },
      retry_on_status: [],
    },
  ],
  'Build the summary': says({
    text: 'Alert <<receive_alert.body.n>> on <<receive_alert.body.name>>\nSeverity: <<receive_alert.body.severity>>\n\nOwner: <<look_up_the_host.body.owner>>',
  }),
  'Note the failure': says({ text: 'No answer for <<receive_alert.body.name>>' }),
  'Count as low': says({ low: '<<receive_alert.body.n>>' }),
  'Tell the team': ['SendToStory', { story: '<<STORY.tell_the_team>>', payload: {} }, { disabled: true }],
  'Ask a model': ['LLM', { prompt: 'Summarise <<build_the_summary.text>>' }],
});

const PLACES: Record<string, [number, number]> = {
  'Receive alert': [240, 0],
  'Only new ones': [240, 120],
  'Is it high?': [240, 240],
  'Look up the host': [60, 375],
  'Build the summary': [-60, 510],
  'Note the failure': [210, 510],
  'Count as low': [450, 375],
  'Tell the team': [-60, 645],
  'Ask a model': [210, 645],
};

const NOTES = [
  { content: '# Triage\nHigh alerts are looked up.\nLow ones are only counted.', position: [-330, -15] },
  { content: 'The host database answers slowly on Mondays.', position: [-330, 360] },
];

/** A story with its layout, notes, a request to `hostsUrl`, a disabled action and a type that does not run here. */
export function triage(hostsUrl: string): JsonObject {
  const links = [
    'Receive alert > Only new ones > Is it high? > Look up the host > Build the summary > Tell the team',
    'Is it high? ! Count as low',
    'Look up the host # Note the failure',
    'Build the summary > Ask a model',
  ];
  const story = storyOf(agentsWith(hostsUrl), links, {
    name: 'Alert triage',
    description: 'First look at each alert',
  });
  const agents = story['agents'] as { name: string; guid: string }[];
  const guids = agents.map(({ name, guid }): [string, number[] | null] => [guid, PLACES[name] ?? null]);
  return { ...story, diagram_layout: JSON.stringify(Object.fromEntries(guids)), diagram_notes: NOTES };
}
