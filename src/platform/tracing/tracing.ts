/** The subject of a span: a request that came in or went out, or a message that was stored or handled. */
export type SpanRole = 'server' | 'client' | 'producer' | 'consumer' | 'internal';
export type SpanAttributes = Record<string, string | number | boolean>;

/** The place of a span: 32 and 16 hexadecimal digits. */
export interface SpanPlace {
  traceId: string;
  spanId: string;
}

export interface NewSpan {
  name: string;
  role: SpanRole;
  traceId: string;
  /** Default: a random one. */
  spanId?: string;
  /** Absent: the span is the root of its trace. */
  parentId?: string | undefined;
  /** Default: now. */
  startMs?: number | undefined;
  attributes: SpanAttributes;
  links?: SpanPlace[];
}

/** A span that has begun. It is sent when it ends. */
export interface OpenSpan extends SpanPlace {
  /** Notes what happened at a time, in ms since 1970. */
  event(name: string, atMs: number): void;
  /** Ends it now; `error` says why the work failed, without values. */
  end(outcome?: { attributes?: SpanAttributes; error?: string | undefined }): void;
}

/** Makes spans of the traces that are sampled, and sends them in the background. */
export interface Tracing {
  /**
   * Whether spans of the trace are sent; all processes agree, as the id alone decides. The id may have the dashes of a
   * guid.
   */
  isSampled(traceId: string): boolean;
  /** Call it for sampled traces only. Never throws, never waits. */
  start(span: NewSpan): OpenSpan;
  /** Returns the place that a header `traceparent` names; undefined if it is not valid. */
  placeIn(traceparent: string | undefined): SpanPlace | undefined;
}

export interface TracingSettings {
  /** Complete address of the collector. */
  url: string;
  json: boolean;
  headers: Record<string, string>;
  timeoutMs: number;
  serviceName: string;
  version: string;
  /** Share of the traces that are sent, from 0 to 1. */
  ratio: number;
}
