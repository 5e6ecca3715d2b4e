import type { JsonValue } from '../../platform/json.js';
import type { HttpAnswer, NoAnswer } from '../../platform/outbound/http-exchange.js';
import { textsOf } from './texts-of.js';

/** Addresses read numbers as such: 16909060 is the host 1.2.3.4. Names of other scripts are written in other letters. */
const SPELLED = /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[\w.-]*xn--[\w.-]*)(?![\w.])/g;
/** A text that may stand in a host, and is written otherwise there. */
const MAY_BE_SPELLED = /^[\da-fx.%\s]*$|[^ -~\s]/i;
const SOME_HOST = '[host]';

/**
 * Texts for people without the hosts that are written otherwise than the options say: a secret that was put into an
 * address, or that a redirect has there, is not known again in them.
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
    /** What an answer says for people. */
    ofAnswer(answer: HttpAnswer | NoAnswer): HttpAnswer | NoAnswer {
      if (!answer.answered) return { ...answer, reason: words(answer.reason) };
      return answer.note === undefined ? answer : { ...answer, note: words(answer.note) };
    },
  };
}
