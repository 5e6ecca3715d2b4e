import type {
  HttpResponse,
  HttpClient,
  HttpRequest,
  NoResponse,
} from '../../platform/outbound/http-exchange.js';
import { headerOf } from '../../platform/headers/header-of.js';
import { createSecretScrubber } from '../../language/face.js';
import type { AnswerRule } from '../../stories/face.js';
import { bodyValue } from './request-body-value.js';
import { scrubStrings } from '../report/scrub-strings.js';

/** Response headers that are not recorded: secrets, or details of the body's transfer. */
const LEFT_OUT = new Set([
  'set-cookie',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
]);

/** Returns the client; it adds a rule to `rules` for each request, without the credentials. */
export function createRecordingClient(
  client: HttpClient,
  credentials: ReadonlyMap<string, string>,
  rules: AnswerRule[],
): HttpClient {
  return {
    async request(request) {
      const answer = await client.request(request);
      rules.push(ruleOf(request, answer, credentials));
      return answer;
    },
    close: () => client.close(),
  };
}

function ruleOf(
  { method, url }: HttpRequest,
  answer: HttpResponse | NoResponse,
  credentials: ReadonlyMap<string, string>,
): AnswerRule {
  const scrub = createSecretScrubber(credentials);
  // `*` matches any credential that another run uses.
  const anywhere = scrub(url).replaceAll(/\[credential [^\]]*\]/g, '*');
  const asked = { method, url: anywhere, times: 1 };
  if (!answer.answered) return { ...asked, status: 0, headers: {}, answer: answer.reason };
  const headers = Object.keys(answer.headers)
    .filter((name) => !LEFT_OUT.has(name))
    .map((name) => [name, scrub(headerOf(answer.headers, name) ?? '')] as const);
  return {
    ...asked,
    status: answer.status,
    headers: Object.fromEntries(headers),
    ...bodyOf(answer.body, scrub),
  };
}

/** Returns a list or object as JSON value in `answer`, text as text, other bytes as `base64`. */
function bodyOf(body: Buffer, scrub: (text: string) => string): Pick<AnswerRule, 'answer' | 'base64'> {
  const value = bodyValue({ body });
  if (typeof value === 'object' && value !== null) return { answer: scrubStrings(value, scrub) };
  const text = body.toString('utf8');
  return Buffer.from(text).equals(body) ? { answer: scrub(text) } : { base64: body.toString('base64') };
}
