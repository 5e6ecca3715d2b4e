import type { JsonObject } from '../../../src/platform/json.js';
import type { TestFabula } from '../fabula.js';

/** Sends a body to the API as Fabula's account, and returns the response. @throws Error for a response that is no success. */
export async function send<Answer = { id: number }>(
  fabula: TestFabula,
  request: string,
  body: JsonObject = {},
): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fabula.api(method, path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${request}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}
