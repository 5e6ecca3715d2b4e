import { headerOf } from '../../../platform/headers/header-of.js';
import type { JsonValue } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { HttpClient, HttpResponse, NoResponse } from '../../../platform/outbound/http-exchange.js';
import type { AnswerRule } from '../../../stories/face.js';

/** Response headers that are not kept: they may be secret, or tell of the transfer alone. */
const LEFT_OUT = new Set([
  'set-cookie',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
]);

/** Returns the client; it adds a rule for the running action to `rules` for each response. */
export function keepingClient(client: HttpClient, action: () => string, rules: AnswerRule[]): HttpClient {
  return {
    async request(request) {
      const answer = await client.request(request);
      const { method } = request;
      rules.push({ action: action(), method, url: addressOf(request.url), times: 1, ...answerOf(answer) });
      return answer;
    },
    close: () => client.close(),
  };
}

/** A test has other texts in place of credentials, and its ids and times may differ: the query is left open. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname.includes(MARK) || origin.includes(MARK) ? '*' : `${origin}${pathname}*`;
}

const MARK = 'credential';

function answerOf(answer: HttpResponse | NoResponse): Pick<AnswerRule, 'status' | 'headers' | 'answer'> {
  if (!answer.answered) return { status: 0, headers: {}, answer: answer.reason };
  const { status, read, body } = answer;
  const names = Object.keys(answer.headers).filter((name) => !LEFT_OUT.has(name.toLowerCase()));
  const headers = names.map((name) => [name, headerOf(answer.headers, name) ?? ''] as const);
  const given = read === undefined ? textValue(body) : read.body;
  return {
    status,
    headers: Object.fromEntries(headers),
    ...(given !== undefined && { answer: given }),
  };
}

function textValue(body: Buffer): JsonValue | undefined {
  if (body.length === 0) return undefined;
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    return body.toString('utf8'); // not JSON
  }
}
