import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../../src/platform/json.js';
import { call, eventsIn, runsOf } from '../run-api.js';
import type { TestFabula } from '../fabula.js';

const FILE = path.resolve(__dirname, '../../../docs/build/examples/alert-story.json');
/** The call of README's first story. */
export const ALERT = { severity: 'high', title: 'Ransomware note found', hosts: ['web-1', 'db-2'] };
/** README's first story, as people import it. */
const { new_name: NAME, data: DATA } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  new_name: string;
  data: JsonObject & { description: string };
};
export const README_STORY = { name: NAME, description: DATA.description };

const PLACES_AND_TIMES = new Set(['guid', 'exported_at', 'diagram_layout']);

const isSaid = (value: unknown) => Boolean(value) && JSON.stringify(value) !== '[]';

/** Leaves out what names or places a part, and what is as it is where nothing is said. */
function whatIsSaid(part: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => !PLACES_AND_TIMES.has(name) && isSaid(value)),
  );
}

/** Returns the export of a story, without guids, the time and the places of its parts. */
export async function exportOf(fabula: TestFabula, storyId: number): Promise<JsonObject> {
  const { body } = await call(fabula, `GET /api/v1/stories/${storyId}/export`);
  const { agents, ...story } = body as JsonObject & { agents: JsonObject[] };
  return { ...whatIsSaid(story), agents: agents.map(whatIsSaid) };
}

/** Returns the export of README's story, which is gone afterwards: its webhook is free for the story that a test builds. */
export async function readmeExport(fabula: TestFabula): Promise<unknown> {
  const { id } = await fabula.importStory(DATA, { new_name: NAME });
  const exported = await exportOf(fabula, id);
  const { status } = await fabula.api('DELETE', `/api/v1/stories/${id}`);
  if (status !== 204) throw new Error(`The story was not deleted: ${status}`);
  return exported;
}

/** Calls the webhook as README does. Returns the answer, how the run ended, and the ticket that came of it. */
export async function callAsReadme(fabula: TestFabula, storyId: number) {
  const response = await fabula.fire('alerts/open-sesame', ALERT);
  const answer = await response.text();
  await fabula.settled();
  // The webhook of the next test has the same path.
  await fabula.forget([storyId]);
  const runs = (await runsOf(fabula, storyId)).map(({ status }) => status);
  const events = await eventsIn(fabula, `?story_id=${storyId}`);
  const payloadOf = (name: string) => events.find(({ agent_name: agent }) => agent === name)?.payload;
  return {
    answer: [response.status, answer],
    runs,
    ticket: payloadOf('Build ticket'),
    mail: payloadOf('Tell the team'),
  };
}

/** What comes of README's call. */
export const README_RESULT = {
  answer: [201, 'Noted'],
  runs: ['completed'],
  ticket: { title: '[HIGH] Ransomware note found', hosts: 'web-1, db-2' },
  mail: expect.objectContaining({
    recipients: ['soc@example.com'],
    subject: '[HIGH] Ransomware note found',
  }) as unknown,
};
