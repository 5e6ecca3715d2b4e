import { CREDENTIAL_HEADERS } from '../../../platform/headers/credential-headers.js';
import { headerOf } from '../../../platform/headers/header-of.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { HttpClient, HttpResponse, NoResponse } from '../../../platform/outbound/http-exchange.js';
import { secretKindOf } from '../../../platform/secrets/secret-names.js';
import type { AnswerRule } from '../../../stories/face.js';
import type { SecretHider } from './hidden-values.js';

/** Response headers that tell of the transfer alone. */
const LEFT_OUT = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'date']);
/** Headers with an address, whose query may let its reader in. */
const ADDRESSES = new Set(['location', 'content-location', 'refresh']);

/** A response of the run as it was, with its secrets. */
export interface RecordedAnswer {
  action: string;
  method: string;
  url: string;
  status: number;
  headers: Record<string, string>;
  answer: JsonValue | undefined;
}

/** Returns the client; it adds each response to the running action to `answers`. */
export function keepingClient(
  client: HttpClient,
  action: () => string,
  answers: RecordedAnswer[],
): HttpClient {
  return {
    async request(request) {
      const answer = await client.request(request);
      const { method, url } = request;
      answers.push({ action: action(), method, url, ...partsOf(answer) });
      return answer;
    },
    close: () => client.close(),
  };
}

/** Returns the parts of a response in which secrets are looked for. */
export function secretParts({ headers, answer = null }: RecordedAnswer): JsonObject {
  return { headers, answer };
}

/** Returns the rule that gives a response without its secrets. */
export function ruleOf(recorded: RecordedAnswer, hider: SecretHider): AnswerRule {
  const { action, method, url, status, headers, answer } = recorded;
  const shown = Object.entries(headers)
    .filter(([name]) => !isSecretHeader(name.toLowerCase()))
    .map(([name, value]) => [name, hider.text(withoutQuery(name.toLowerCase(), value))] as const);
  return {
    action,
    method,
    url: addressOf(url, hider),
    times: 1,
    status,
    headers: Object.fromEntries(shown),
    ...(answer !== undefined && { answer: hider.value(answer) }),
  };
}

function isSecretHeader(name: string): boolean {
  const isProxy = name.startsWith('proxy-') || name.startsWith('set-cookie');
  return isProxy || CREDENTIAL_HEADERS.has(name) || secretKindOf(name) !== undefined;
}

function withoutQuery(name: string, value: string): string {
  return ADDRESSES.has(name) ? value.replace(/[?#].*$/s, '') : value;
}

/** A test has other texts in place of secrets, and its ids and times may differ: the query is left open. */
function addressOf(url: string, hider: SecretHider): string {
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`;
  return address.includes(MARK) || hider.text(address) !== address ? '*' : `${address}*`;
}

const MARK = 'credential';

function partsOf(answer: HttpResponse | NoResponse): Pick<RecordedAnswer, 'status' | 'headers' | 'answer'> {
  if (!answer.answered) return { status: 0, headers: {}, answer: answer.reason };
  const { status, read, body } = answer;
  const names = Object.keys(answer.headers).filter((name) => !LEFT_OUT.has(name.toLowerCase()));
  const headers = names.map((name) => [name, headerOf(answer.headers, name) ?? ''] as const);
  return {
    status,
    headers: Object.fromEntries(headers),
    answer: read === undefined ? textValue(body) : read.body,
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
