import type { HttpClient, HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';
import type { Mailer } from '../../platform/outbound/mail/mail.js';
import type { OpenSpan, SpanAttributes, SpanRole } from '../../platform/tracing/tracing.js';

/** Begins a span under that of the job. */
export type StartChild = (name: string, role: SpanRole, attributes: SpanAttributes) => OpenSpan;

/**
 * Returns a client whose requests have spans, and carry `traceparent` unless the story sets it. A span names neither host
 * nor path: stories may put secrets into both.
 */
export function tracedClient(http: HttpClient, startChild: StartChild): HttpClient {
  return {
    async request(request) {
      const span = startChild(request.method, 'client', { 'http.request.method': request.method });
      const headers = { traceparent: `00-${span.traceId}-${span.spanId}-01`, ...request.headers };
      try {
        const answer = await http.request({ ...request, headers });
        span.end(outcomeOf(answer));
        return answer;
      } catch (error) {
        span.end({ error: 'refused before it was sent' });
        throw error;
      }
    },
    close: () => http.close(),
  };
}

function outcomeOf(answer: HttpResponse | NoResponse): Parameters<OpenSpan['end']>[0] {
  if (!answer.answered) return { error: answer.interrupted ? 'interrupted' : 'no response' };
  const attributes = { 'http.response.status_code': answer.status };
  return { attributes, error: answer.status >= 400 ? String(answer.status) : undefined };
}

/** Returns a mailer whose mails have spans. */
export function tracedMailer(mailer: Mailer, startChild: StartChild): Mailer {
  return {
    async send(mail, signal) {
      const recipients = mail.to.length + mail.cc.length + mail.bcc.length;
      const span = startChild('send mail', 'client', { 'fabula.recipients': recipients });
      try {
        const refused = await mailer.send(mail, signal);
        span.end({ attributes: { 'fabula.refused_recipients': refused.length } });
        return refused;
      } catch (error) {
        span.end({ error: 'not sent' });
        throw error;
      }
    },
    close: () => mailer.close(),
  };
}
