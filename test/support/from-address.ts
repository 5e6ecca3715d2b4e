import http from 'node:http';
import { OWN } from './people.js';

export interface PostResponse {
  status: number;
  /** All cookies that were set, as a browser sends them back. */
  cookie: string;
  body: unknown;
}

/** Sends JSON to `url` from one of this machine's addresses, such as 127.0.7.1: as if from another client. */
export function postFrom(
  address: string,
  url: string,
  { body, cookie }: { body: object; cookie?: string },
): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    const headers = { ...OWN, 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) };
    const request = http.request(url, { method: 'POST', localAddress: address, agent: false, headers });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const cookies = (response.headers['set-cookie'] ?? []).map((each) => each.split(';', 1)[0]);
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          cookie: cookies.join('; '),
          body: text === '' ? undefined : JSON.parse(text),
        });
      });
    });
    request.end(JSON.stringify(body));
  });
}
