import type { Config } from '../../config/face.js';
import { tracingSettings } from './tracing-settings.js';
import { traceIdOf } from './span-ids.js';

/** Returns what adds `trace_id` to log lines that name a run; undefined if traces are off. */
export function traceFields(config: Pick<Config, 'traces'>) {
  if (tracingSettings(config.traces, '') === undefined) return undefined;
  return ({ story_run_guid: guid }: Readonly<Record<string, unknown>>): object =>
    typeof guid === 'string' ? { trace_id: traceIdOf(guid) } : {};
}
