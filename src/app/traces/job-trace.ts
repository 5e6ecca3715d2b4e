import {
  type DeliveryRow,
  type DeliverySummary,
  type JobWatch,
  NoSlot,
  type Work,
} from '../../engine/face.js';
import type { HttpClient, HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';
import type { Mailer } from '../../platform/outbound/mail/mail.js';
import type { OpenSpan, SpanAttributes, SpanRole, Tracing } from '../../platform/tracing/tracing.js';
import { jobSpanId, parentOfJob, traceIdOf } from './span-ids.js';

/** Begins a span under that of the job. */
type StartChild = (name: string, role: SpanRole, attributes: SpanAttributes) => OpenSpan;

/** The outcomes that count as errors of the action. */
const ERRORS: ReadonlySet<string> = new Set(['failed', 'handled', 'retry']);

/** Makes the spans of one job of a sampled run: the action, its requests and mails, and the COMMIT. */
export class JobTrace implements JobWatch {
  private readonly beganMs = Date.now();
  private storingMs: number | undefined;
  private work: Work | undefined;

  constructor(
    private readonly delivery: DeliveryRow,
    private readonly tracing: Tracing,
  ) {}

  found(work: Work): void {
    this.work = work;
  }

  storing(): void {
    this.storingMs = Date.now();
  }

  client(http: HttpClient): HttpClient {
    return tracedClient(http, this.startChild);
  }

  mailer(mailer: Mailer): Mailer {
    return tracedMailer(mailer, this.startChild);
  }

  ended({ outcome }: DeliverySummary): void {
    const { storingMs } = this;
    if (storingMs !== undefined) this.startChild('commit', 'internal', {}, storingMs).end();
    const error = ERRORS.has(outcome) ? outcome : undefined;
    this.tell({ 'fabula.outcome': outcome }, { spanId: jobSpanId(this.delivery), error });
  }

  /** A job without a free slot has done nothing, and comes back often. A later attempt has the span of the delivery. */
  putBack(error: unknown): void {
    if (error instanceof NoSlot) return;
    this.tell({ 'fabula.outcome': 'put back' }, { error: 'put back' });
  }

  private readonly startChild = (
    name: string,
    role: Parameters<StartChild>[1],
    attributes: SpanAttributes,
    startMs?: number,
  ) =>
    this.tracing.start({
      name,
      role,
      traceId: traceIdOf(this.delivery.storyRunGuid),
      parentId: jobSpanId(this.delivery),
      startMs,
      attributes,
    });

  private tell(
    attributes: SpanAttributes,
    { spanId, error }: { spanId?: string; error: string | undefined },
  ): void {
    const { delivery, work } = this;
    const span = this.tracing.start({
      name: work?.agent.type.replace(/^Agents::|Agent$/g, '') ?? 'action',
      role: 'consumer',
      traceId: traceIdOf(delivery.storyRunGuid),
      ...(spanId !== undefined && { spanId }),
      parentId: parentOfJob(delivery),
      startMs: this.beganMs,
      attributes: { ...factsOf(delivery), ...attributes },
    });
    // By the clock of the database.
    span.event('delivery stored', delivery.createdAt.getTime());
    span.end({ error });
  }
}

function factsOf(delivery: DeliveryRow): SpanAttributes {
  return {
    'fabula.story_run_guid': delivery.storyRunGuid,
    'fabula.story_id': delivery.storyId,
    'fabula.agent_id': delivery.agentId,
    'fabula.delivery_id': delivery.id,
    'fabula.event_id': delivery.eventId,
    'fabula.queue': delivery.queue,
    'fabula.attempt': delivery.attempts + 1,
  };
}

/**
 * Returns a client whose requests have spans, and carry `traceparent` unless the story sets it. A span names neither host
 * nor path: stories may put secrets into both.
 */
function tracedClient(http: HttpClient, startChild: StartChild): HttpClient {
  return {
    async request(request) {
      const span = startChild(request.method, 'client', { 'http.request.method': request.method });
      const headers = { traceparent: `00-${span.traceId}-${span.spanId}-01`, ...request.headers };
      try {
        const response = await http.request({ ...request, headers });
        span.end(outcomeOf(response));
        return response;
      } catch (error) {
        span.end({ error: 'refused before it was sent' });
        throw error;
      }
    },
    close: () => http.close(),
  };
}

function outcomeOf(response: HttpResponse | NoResponse): Parameters<OpenSpan['end']>[0] {
  if (!response.answered) return { error: response.interrupted ? 'interrupted' : 'no response' };
  const attributes = { 'http.response.status_code': response.status };
  return { attributes, error: response.status >= 400 ? String(response.status) : undefined };
}

/** Returns a mailer whose mails have spans. */
function tracedMailer(mailer: Mailer, startChild: StartChild): Mailer {
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
