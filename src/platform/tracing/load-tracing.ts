import type { Logger } from '../logger.js';
import type { OpenSpan, Tracing, TracingSettings } from './tracing.js';

/** A tracing that is loaded in the background; until then no trace is sampled. */
export interface LoadedTracing extends Tracing {
  /** Resolves when it is loaded; never rejects. */
  ready: Promise<void>;
  /** Sends what is left, within a limit. */
  close(): Promise<void>;
}

/** Loads the exporter, which a process without traces never does. A failure is logged: then nothing is traced. */
export function loadTracing(settings: TracingSettings, logger: Logger): LoadedTracing {
  let loaded: (Tracing & { close(): Promise<void> }) | undefined;
  const load = async () => {
    const { createOtlpTracing } = await import('./otlp-tracing.js');
    loaded = createOtlpTracing(settings, logger);
  };
  const ready = load().catch(
    (error: unknown) => void logger.error('traces are off: they could not be loaded', { error }),
  );
  return {
    ready,
    isSampled: (traceId) => loaded?.isSampled(traceId) === true,
    start: (span) => loaded?.start(span) ?? NO_SPAN,
    placeIn: (traceparent) => loaded?.placeIn(traceparent),
    async close() {
      await ready;
      await loaded?.close();
    },
  };
}

const NO_SPAN: OpenSpan = { traceId: '', spanId: '', event: () => undefined, end: () => undefined };
