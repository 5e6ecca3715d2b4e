import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { assert as assertProperty, boolean, constantFrom, double, oneof, property, uuid } from 'fast-check';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { createSampling } from '../../src/platform/tracing/otlp-tracing.js';
import { traceIdOf } from '../../src/app/traces/span-ids.js';

const ratios = oneof(constantFrom(0, 0.001, 0.01, 0.5, 1), double({ min: 0, max: 1, noNaN: true }));

test('a run is sampled as the SDK would, by its guid and by its trace id, in whatever process', () => {
  assertProperty(
    property(uuid(), ratios, boolean(), (guid, ratio, capitals) => {
      const traceId = traceIdOf(capitals ? guid.toUpperCase() : guid);
      const { decision } = new TraceIdRatioBasedSampler(ratio).shouldSample(ROOT_CONTEXT, traceId);
      const expected = decision === SamplingDecision.RECORD_AND_SAMPLED;
      expect([guid, traceId].map(createSampling(ratio))).toEqual([expected, expected]);
    }),
    { numRuns: 2_000 },
  );
});

test('a smaller share is a part of a larger one', () => {
  assertProperty(
    property(uuid(), ratios, ratios, (guid, one, other) => {
      const [smaller, larger] = [Math.min(one, other), Math.max(one, other)];
      return !createSampling(smaller)(guid) || createSampling(larger)(guid);
    }),
  );
});

/** Guids that are made one after another begin with the same bits: the time. */
test.each([0.01, 0.1, 0.5])('of runs that begin within moments, a share of %p is that share', (ratio) => {
  const count = 100_000;
  const guids = Array.from({ length: count }, newRunGuid);
  const sampled = guids.filter(createSampling(ratio)).length;
  // Seven standard deviations: chance alone goes beyond them once in 10^11 times.
  const noise = 7 * Math.sqrt(count * ratio * (1 - ratio));
  expect(Math.abs(sampled - count * ratio)).toBeLessThan(noise);
});
