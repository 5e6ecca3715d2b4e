import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { Account } from './builders.js';
import type { TestFabula } from './fabula.js';
import { type ParsedResponse, checkSuccess } from './manage-api.js';

/** Calls the API of a running Fabula; a response that is a success is checked against the route's own schema. */
export async function call(
  fabula: TestFabula,
  request: string,
  { body, as }: { body?: JsonValue; as?: Account } = {},
): Promise<ParsedResponse> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(fabula.url + path, {
    method,
    headers: { 'x-user-token': (as ?? fabula.account).key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = {
    status: response.status,
    body: JSON.parse(text),
    headers: response.headers,
  };
  if (response.ok) await checkSuccess({ method, path }, response, text);
  return parsed;
}

/** The agents of a story, id by name. */
export async function agentIds(fabula: TestFabula, storyId: number): Promise<Record<string, number>> {
  const { body } = await call(fabula, `GET /api/v1/stories/${storyId}/agents?per_page=500`);
  const agents = (body as { agents: { name: string; id: number }[] }).agents;
  return Object.fromEntries(agents.map(({ name, id }) => [name, id]));
}

/** The runs of a story, newest first. */
export async function runsOf(fabula: TestFabula, storyId: number, query = ''): Promise<RunResponse[]> {
  const { body } = await call(fabula, `GET /api/v1/stories/${storyId}/runs${query}`);
  return (body as { story_runs: RunResponse[] }).story_runs;
}

/** A run as the API shows it, as far as tests look at it by name. */
export interface RunResponse {
  guid: string;
  status: string;
  source: string;
  event_count: number;
  created_at: string;
  ended_at: string | null;
  cancelled_at: string | null;
}

/** An event as the API shows it. */
export interface EventResponse {
  id: number;
  story_id: number;
  agent_id: number;
  agent_name: string | null;
  story_run_guid: string;
  previous_events_ids: number[];
  payload: JsonValue;
  incomplete: boolean;
}

/** The events of a list. */
export async function eventsIn(fabula: TestFabula, query: string): Promise<EventResponse[]> {
  const { body } = await call(fabula, `GET /api/v1/events${query}`);
  return (body as { events: EventResponse[] }).events;
}

/** A transformation that gives its payload. */
export const says = (payload: JsonObject): [string, JsonObject] => [
  'EventTransformation',
  { mode: 'message_only', payload },
];

/** Texts in the order of their characters. */
export const sorted = (texts: string[]): string[] => texts.toSorted((a, b) => (a < b ? -1 : 1));
