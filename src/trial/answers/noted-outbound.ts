import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { Mail, Mailer } from '../../platform/outbound/mail/mail.js';
import { originOf } from './answer-origin.js';
import { bodyValue } from './request-body-value.js';
import type { ReportPlace, RequestEntry } from '../report/trial-report.js';

/** Returns the client; it calls `note` for each finished request. */
export function notedClient(
  client: HttpClient,
  note: (request: Omit<RequestEntry, keyof ReportPlace | 'kind'>) => void,
): HttpClient {
  return {
    async request(request) {
      const answer = await client.request(request);
      const { method, url, headers } = request;
      const came = answer.answered
        ? { status: answer.status, reason: undefined }
        : { status: 0, reason: answer.reason };
      note({ method, url, headers, body: bodyValue(request), ...came, origin: originOf(answer) });
      return answer;
    },
    close: () => client.close(),
  };
}

/** Returns a mailer that passes mails to `keep` and sends none. */
export function keepingMailer(keep: (mail: Mail) => void): Mailer {
  return {
    send(mail) {
      keep(mail);
      return Promise.resolve([]);
    },
    close: () => Promise.resolve(),
  };
}
