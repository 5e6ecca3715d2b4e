import type { HttpResponse, HttpClient, NoResponse } from '../../platform/outbound/http-exchange.js';
import type { ResponseHeaders } from '../../platform/headers/header-of.js';
import type { AnswerRule } from '../../stories/face.js';
import { cameFrom } from './answer-origin.js';
import { fitsRule } from './answer-rules.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/**
 * Returns an HTTP client that sends nothing: the first matching rule that is not used up gives the response. Redirects are
 * not followed. Requests without a rule go to `otherwise`. `mayUse`: whether a rule counts now.
 */
export function createAnsweredClient(
  rules: readonly AnswerRule[],
  otherwise: HttpClient,
  mayUse: (rule: AnswerRule) => boolean = () => true,
): HttpClient {
  const used = new Map<AnswerRule, number>();
  const isLeft = (rule: AnswerRule) => (used.get(rule) ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY);
  return {
    request(request) {
      const rule = rules.find((each) => isLeft(each) && mayUse(each) && fitsRule(each, request));
      if (rule === undefined) return otherwise.request(request);
      used.set(rule, (used.get(rule) ?? 0) + 1);
      return Promise.resolve(cameFrom('rule', responseOf(rule)));
    },
    close: () => otherwise.close(),
  };
}

/** Returns a client without responses; it passes `GET https://…` of each request to `onUnanswered`. */
export function createSilentClient(onUnanswered: (request: string) => void): HttpClient {
  return {
    request({ method, url }) {
      onUnanswered(`${method} ${url}`);
      const reason = `no rule matches ${method} ${url}`;
      return Promise.resolve({ answered: false, reason, interrupted: false });
    },
    close: () => Promise.resolve(),
  };
}

function responseOf({ status, headers, answer, base64 }: AnswerRule): HttpResponse | NoResponse {
  const text = typeof answer === 'string' ? answer : answer === undefined ? '' : stringifyJson(answer);
  if (status === 0) return { answered: false, reason: text || 'there was no response', interrupted: false };
  const body = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
  return { answered: true, status, headers: lowerCased(headers), body };
}

function lowerCased(headers: ResponseHeaders): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
