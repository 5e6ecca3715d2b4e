import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { stringifyJson } from '../../src/platform/json/exact-number.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { entriesOf } from '../../src/trial/report/trial-report.js';
import { requestOf, tryGolden } from './try-golden.js';

const HOOK = {
  type: 'Agents::WebhookAgent',
  name: 'Hook',
  guid: '1'.repeat(32),
  options: { path: 'p', secret: 's', include_headers: false },
};

/** An action behind the webhook, in the form of an export. */
interface TriedAction {
  type?: string;
  options: JsonObject;
}

/** The story of a webhook "Hook" with one action behind it, as export text. */
function storyText({ type = 'Agents::EventTransformationAgent', options }: TriedAction, schema = 30): string {
  return stringifyJson({
    schema_version: schema,
    name: 'R',
    guid: 'f'.repeat(32),
    agents: [HOOK, { type, name: 'Out', guid: '2'.repeat(32), options }],
    links: [{ source: 0, receiver: 1 }],
  });
}

/** Runs the action on the webhook body `text`. Returns the JSON texts of the events it emits, requests and faults. */
export async function tryEvent(
  text: string,
  action: TriedAction,
  { schema = 30, answers = [] as JsonValue[] } = {},
) {
  const file = {
    start: { agent: 'Hook', payload: parseJson(text) },
    values: {},
    answers,
  } as unknown as Parameters<typeof tryGolden>[1];
  const report = await tryGolden(requestOf(storyText(action, schema)), file);
  return {
    events: entriesOf(report, 'event')
      .filter(({ agent }) => agent === 'Out')
      .map(({ payload }) => stringifyJson(payload)),
    requests: entriesOf(report, 'request'),
    faults: entriesOf(report, 'dead_letter').map(({ error }) => error),
  };
}

/** Returns the JSON text that `message_only` emits for this payload. */
export async function emitted(text: string, payload: JsonValue, schema = 30): Promise<string | undefined> {
  const { events, faults } = await tryEvent(text, { options: { mode: 'message_only', payload } }, { schema });
  return faults[0] ?? events[0];
}
