import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { loadSync } from 'protobufjs';
import { eventually } from './eventually.js';

const REQUEST = loadSync(path.join(__dirname, '../fixtures/otlp-traces.proto')).lookupType(
  'ExportTraceServiceRequest',
);

/** A span as a collector gets it. */
export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  events: { name: string }[];
  /** 2: an error. */
  status: number;
  error: string | undefined;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
type RawSpan = Omit<SentSpan, 'attributes' | 'links' | 'events' | 'status' | 'error'> & {
  attributes: Attribute[];
  links?: SentSpan['links'];
  events?: SentSpan['events'];
  status?: { code?: number; message?: string };
};
interface Request {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: RawSpan[] }[] }[];
}

/**
 * A collector on a free port that keeps the spans it gets, in JSON or protobuf. It answers as soon as `answering` resolves:
 * one that never does hangs.
 */
export async function startOtlpSink(answering: Promise<unknown> = Promise.resolve()) {
  const spans: SentSpan[] = [];
  const seen: { headers: NodeJS.Dict<string | string[]>; path: string; services: unknown[] }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { resourceSpans } = requestIn(await buffer(request), request.headers['content-type']);
    seen.push({
      headers: request.headers,
      path: request.url ?? '',
      services: resourceSpans.map(({ resource }) => valuesOf(resource.attributes)['service.name']),
    });
    for (const { scopeSpans } of resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans.map(plain));
    }
    await answering;
    response.end();
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    seen,
    /** The spans of a trace, as soon as `enough` of them have come. */
    trace: (traceId: string, enough: (spans: SentSpan[]) => boolean) =>
      eventually(() => {
        const own = spans.filter((span) => span.traceId === traceId);
        return enough(own) && own;
      }, 60_000),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function requestIn(body: Buffer, type: string | undefined): Request {
  if (type === 'application/json') return JSON.parse(body.toString()) as Request;
  if (type !== 'application/x-protobuf') throw new Error(`Not a type of OTLP: ${type}`);
  const fields = REQUEST.toObject(REQUEST.decode(body), { longs: Number, bytes: String, arrays: true });
  return JSON.parse(JSON.stringify(fields), asInJson) as Request;
}

/** In JSON, OTLP has ids in hexadecimal digits. */
function asInJson(key: string, value: unknown): unknown {
  return /^(?:trace|span|parentSpan)Id$/.test(key)
    ? Buffer.from(value as string, 'base64').toString('hex')
    : value;
}

function plain(span: RawSpan): SentSpan {
  const { attributes, links = [], events = [], status = {} } = span;
  return {
    ...span,
    attributes: valuesOf(attributes),
    links,
    events,
    status: status.code ?? 0,
    error: status.message,
  };
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
