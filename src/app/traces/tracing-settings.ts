import type { Config } from '../../config/face.js';
import type { TracingSettings } from '../../platform/tracing/tracing.js';

const USUAL_COLLECTOR = 'http://localhost:4318';

/** Returns how spans are sent; undefined: traces are off. An endpoint, or `OTEL_TRACES_EXPORTER=otlp`, switches them on. */
export function tracingSettings(given: Config['traces'], version: string): TracingSettings | undefined {
  const { disabled, exporter, endpoint, tracesEndpoint, sampler } = given;
  const named = exporter ?? ((endpoint ?? tracesEndpoint) === undefined ? 'none' : 'otlp');
  const ratio = ratioOf(sampler, given.ratio);
  if (disabled || named === 'none' || ratio === 0) return undefined;
  return {
    url: tracesEndpoint ?? `${endpoint ?? USUAL_COLLECTOR}/v1/traces`,
    json: given.protocol === 'http/json',
    headers: headersIn(given.headers ?? ''),
    timeoutMs: given.timeoutMs,
    serviceName: given.serviceName,
    version,
    ratio,
  };
}

/** Whether a run is traced follows from its guid alone: no process knows what the caller decided for its own trace. */
function ratioOf(sampler: Config['traces']['sampler'], ratio: number): number {
  if (sampler.endsWith('always_on')) return 1;
  return sampler.endsWith('always_off') ? 0 : ratio;
}

/** Reads `name=value,name=value`, with percent encoding, as the standard has it. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign stands for itself.
    return text;
  }
}
