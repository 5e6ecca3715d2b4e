// Makes many spans at once for the collector COLLECTOR, and one more before it ends.
const { require: load } = require('tsx/cjs/api');

const { createOtlpTracing } = load('../../src/platform/tracing/otlp-tracing.ts', __filename);

const settings = {
  url: process.env.COLLECTOR,
  json: false,
  headers: {},
  timeoutMs: 300_000,
  serviceName: 'flood',
  version: '1.0.0',
  ratio: 1,
};
const say = (text) => process.stdout.write(`${text}\n`);
const tracing = createOtlpTracing(settings, { warn: say });
const make = (count) => {
  const span = {
    name: 'a span',
    role: 'internal',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    attributes: {},
  };
  for (let made = 0; made < count; made += 1) tracing.start(span).end();
};

make(20_000);
say('20000 spans are made');
const running = setInterval(() => undefined, 60_000);
process.once('SIGTERM', () => {
  make(1);
  clearInterval(running);
  void tracing.close();
});
