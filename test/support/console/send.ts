import type { JsonObject } from '../../../src/platform/json.js';
import type { TestFabula } from '../fabula.js';

/** Sends a body to the API as Fabula's account, and returns the response. @throws Error for a response that is no success. */
export async function send<Body = { id: number }>(
  fabula: TestFabula,
  request: string,
  body: JsonObject = {},
): Promise<Body> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fabula.api(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}
