import type { JsonValue } from '../../../platform/json.js';
import type { HttpResponse, NoResponse } from '../../../platform/outbound/http-exchange.js';
import { textsOf } from './texts-of.js';

/** Hosts that URLs rewrite: the number 16909060 becomes 1.2.3.4, names in other scripts become punycode. */
const SPELLED = /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[\w.-]*xn--[\w.-]*)(?![\w.])/g;
/** A text that a URL may rewrite if it is used in a host. */
const MAY_BE_SPELLED = /^[\da-fx.%\s]*$|[^ -~\s]/i;
const SOME_HOST = '[host]';

/**
 * Replaces rewritten hosts in texts for people, unless the options contain them: a secret used in a URL's host, also of a
 * redirect, is not found there by the redactor.
 */
export function createHostWords(options: unknown, secrets: readonly string[]) {
  const mayBeSpelled = secrets.some((secret) => MAY_BE_SPELLED.test(secret));
  let written: string | undefined;
  const isWritten = (host: string): boolean => {
    written ??= [...textsOf(options as JsonValue)].join('\n').toLowerCase();
    return written.includes(host);
  };
  const words = (text: string): string =>
    mayBeSpelled ? text.replace(SPELLED, (host) => (isWritten(host) ? host : SOME_HOST)) : text;
  return {
    words,
    /** Returns the response with its reason or note for people rewritten. */
    ofResponse(answer: HttpResponse | NoResponse): HttpResponse | NoResponse {
      if (!answer.answered) return { ...answer, reason: words(answer.reason) };
      return answer.note === undefined ? answer : { ...answer, note: words(answer.note) };
    },
  };
}
