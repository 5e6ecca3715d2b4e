import { createJobSampler, keptJobs } from '../../src/engine/dispatch/adding/job-sampler.js';

/** How many of `jobs` that are done at the same moment stay. */
const kept = (sample: () => boolean, jobs: number) => Array.from({ length: jobs }, sample).filter(Boolean);

test('all jobs that are done stay until a queue has its fill, then ten a second', () => {
  let now = 5_000;
  const sample = createJobSampler(() => now);
  expect(kept(sample, 999)).toHaveLength(999);
  expect(kept(sample, 50_000)).toHaveLength(1);
  now += 99;
  expect(kept(sample, 50_000)).toHaveLength(0);
  now += 1;
  expect(kept(sample, 50_000)).toHaveLength(1);
  now += 2_500;
  expect(kept(sample, 50_000)).toHaveLength(25);
});

test('after a rest all stay again, as many as a queue keeps', () => {
  let now = 0;
  const sample = createJobSampler(() => now);
  kept(sample, 5_000);
  now += 24 * 3_600_000;
  expect(kept(sample, 5_000)).toHaveLength(1_000);
});

test('failed jobs stay for 14 days, those of the spool however many they are', () => {
  const age = 14 * 24 * 3_600;
  expect(keptJobs('webhook-events').removeOnFail).toEqual({ age });
  expect(keptJobs('trigger').removeOnFail).toEqual({ age, count: 10_000 });
});
