import {
  decimal,
  flagVariable,
  integerVariable,
  oneOfVariable,
  textVariable,
  webUrl,
} from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Traces');
const more = 'traces.md';

/** The standard variables of OpenTelemetry; traces are off unless these name a collector. */
export const traceVariables = {
  traces: {
    disabled: variable('OTEL_SDK_DISABLED', flagVariable, {
      default: false,
      meaning: 'Whether traces are disabled, regardless of other settings.',
      more,
    }),
    exporter: variable('OTEL_TRACES_EXPORTER', oneOfVariable<'otlp' | 'none'>('otlp', 'none'), {
      defaultText: '`otlp` with an endpoint, else `none`',
      meaning: 'Whether spans are sent to a collector.',
    }),
    endpoint: variable('OTEL_EXPORTER_OTLP_ENDPOINT', webUrl, {
      secret: true,
      defaultText: '`http://localhost:4318`, if OTEL_TRACES_EXPORTER is `otlp`',
      meaning: 'URL of the collector; setting it enables traces.',
      example: 'http://collector:4318',
      more,
    }),
    tracesEndpoint: variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', webUrl, {
      secret: true,
      defaultText: 'the endpoint with `/v1/traces`',
      meaning: 'Full URL that spans are sent to.',
    }),
    protocol: variable(
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      oneOfVariable<'http/protobuf' | 'http/json'>('http/protobuf', 'http/json'),
      { default: 'http/protobuf', meaning: 'Protocol used to send spans.' },
    ),
    headers: variable('OTEL_EXPORTER_OTLP_HEADERS', textVariable('comma-separated `name=value` pairs'), {
      secret: true,
      meaning: 'Headers of the requests to the collector, such as a key.',
    }),
    timeoutMs: variable('OTEL_EXPORTER_OTLP_TIMEOUT', integerVariable({ min: 100, max: 60_000 }), {
      default: 10_000,
      unit: 'milliseconds',
      meaning: 'Timeout of one request to the collector.',
    }),
    serviceName: variable('OTEL_SERVICE_NAME', textVariable('a name'), {
      default: 'fabula',
      meaning: 'Name of this service in traces.',
    }),
    sampler: variable(
      'OTEL_TRACES_SAMPLER',
      oneOfVariable<Sampler>(
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ),
      {
        default: 'parentbased_always_on',
        meaning: 'Which runs are traced; `parentbased_…` means the same as without it.',
        more,
      },
    ),
    ratio: variable('OTEL_TRACES_SAMPLER_ARG', decimal(0, 1), {
      default: 1,
      meaning: 'Share of runs that `traceidratio` traces.',
    }),
  },
};

/** The samplers that the standard names. */
export type Sampler =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';
