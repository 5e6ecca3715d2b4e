import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import { withTimeout } from '../runtime/timeout.js';
import type { NewSpan, OpenSpan, SpanPlace, SpanRole, Tracing, TracingSettings } from './tracing.js';

const WORD_DIGITS = 8;
const DASH = 45;
const ALL = 0x1_0000_0000;

const ZERO = 48;
const NINE = 57;
/** Makes a capital letter a small one. */
const LOWER = 0x20;
const TEN_BELOW_A = 87;

/** Spans that wait to be sent; further ones are dropped. */
const MAX_WAITING = 8_192;
const MAX_BATCH = 512;
const SEND_EVERY_MS = 1_000;
/** Time at a shutdown in which spans that are left are sent. */
const CLOSE_MS = 3_000;
/** A collector that is away is logged this often at most. */
const TELL_EVERY_MS = 60_000;

const KINDS: Record<SpanRole, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Gives the next span the ids that it asks for: the SDK asks for them while it starts the span. */
class ChosenIds {
  private readonly random = new RandomIdGenerator();
  traceId = '';
  spanId: string | undefined;

  generateTraceId = (): string => this.traceId;
  generateSpanId = (): string => this.spanId ?? this.random.generateSpanId();
}

/** Creates what sends spans to a collector by OTLP over HTTP. */
export function createOtlpTracing(
  settings: TracingSettings,
  logger: Logger,
): Tracing & { close(): Promise<void> } {
  logFailures(logger);
  const ids = new ChosenIds();
  const provider = new TracerProvider({
    // Spans are started of sampled traces alone.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': settings.version,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: exporterOf(settings),
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: settings.timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('fabula', settings.version);

  return {
    isSampled: createSampling(settings.ratio),
    start(span) {
      ids.traceId = span.traceId;
      ids.spanId = span.spanId;
      const { traceId, parentId } = span;
      const context =
        parentId === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, sampled({ traceId, spanId: parentId }));
      return opened(tracer.startSpan(span.name, optionsOf(span), context));
    },
    placeIn(traceparent) {
      const found = traceparent === undefined ? null : parseTraceParent(traceparent);
      return found === null ? undefined : { traceId: found.traceId, spanId: found.spanId };
    },
    async close() {
      await withTimeout(provider.shutdown(), CLOSE_MS).catch((error: unknown) =>
        logger.warn('the last spans could not be sent', { error: messageOf(error) }),
      );
    },
  };
}

function exporterOf({ url, json, headers, timeoutMs }: TracingSettings) {
  const Exporter = json ? JsonExporter : ProtobufExporter;
  return new Exporter({ url, headers, timeoutMillis: timeoutMs });
}

function sampled({ traceId, spanId }: SpanPlace) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function optionsOf({ role, startMs, attributes, links = [] }: NewSpan) {
  return {
    kind: KINDS[role],
    attributes,
    links: links.map((place) => ({ context: sampled(place) })),
    ...(startMs === undefined ? {} : { startTime: asTime(startMs) }),
  };
}

/** Seconds and nanoseconds: the SDK takes small plain numbers for times since the start of the process. */
function asTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

function opened(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): OpenSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    event: (name, atMs) => void span.addEvent(name, asTime(atMs)),
    end({ attributes = {}, error } = {}) {
      span.setAttributes(attributes);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end();
    },
  };
}

/** The SDK reports failed requests to the collector here. Its messages may hold the address, which may hold a secret. */
function logFailures(logger: Logger): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error: unknown) => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    toldAt = now;
    const { code, name } = error as { code?: unknown; name?: unknown };
    logger.warn('spans could not be sent to the collector', { code: String(code ?? name) });
  });
}

/**
 * Returns what decides for 32 hexadecimal digits, with or without the dashes of a guid, whether their trace is sampled. It
 * decides as the SDK's TraceIdRatioBasedSampler does, at a fifth of its time: every job and every event asks.
 */
export function createSampling(ratio: number): (id: string) => boolean {
  const bound = ratio >= 1 ? ALL : Math.floor(ratio * (ALL - 1));
  return (id) => foldedWords(id) < bound;
}

/** Returns the exclusive or of the words of 32 bits: random ones make even those random that begin with the time. */
function foldedWords(id: string): number {
  let folded = 0;
  let word = 0;
  let digits = 0;
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    if (code === DASH) continue;
    word = (word << 4) | valueOf(code);
    digits += 1;
    if (digits % WORD_DIGITS === 0) folded ^= word;
  }
  return folded >>> 0;
}

/** Returns the value of a hexadecimal digit. */
function valueOf(code: number): number {
  return code <= NINE ? code - ZERO : (code | LOWER) - TEN_BELOW_A;
}
