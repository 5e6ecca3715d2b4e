import { growthOf } from '../soak/growth.js';

const samplesOf = (figure: string, values: number[]) => values.map((value) => new Map([[figure, value]]));

test.each([
  ['memory of web (MiB)', [80, 100, 100, 100, 100, 100, 100, 130], false],
  ['memory of web (MiB)', [80, 100, 100, 110, 120, 130, 140, 150], true],
  ['rows of events', [0, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 5_200], false],
  ['rows of events', [0, 2_000, 4_000, 4_000, 6_000, 8_000, 9_000, 10_000], true],
  ['open files and sockets of web', [40, 40, 40, 40, 60, 80, 90, 100], true],
])('%s over %j: grew is %s', (figure, values, grew) => {
  expect(growthOf(samplesOf(figure, values))).toEqual([expect.objectContaining({ figure, grew })]);
});

test('one busy minute is no growth, and its highest value is reported', () => {
  const values = [40, 40, 40, 40, 40, 41, 39, 40, 40, 40, 40, 40, 40, 40, 77, 40];
  const [growth] = growthOf(samplesOf('open files and sockets of web', values));
  expect(growth).toMatchObject({
    grew: false,
    early: { median: 40, most: 41 },
    late: { median: 40, most: 77 },
  });
});

test('a process that did not run in a quarter has grown from nothing only if it uses much', () => {
  const samples = [new Map(), new Map(), new Map(), new Map([['keys in Redis', 400]])] as Map<
    string,
    number
  >[];
  expect(growthOf(samples)).toEqual([
    {
      figure: 'keys in Redis',
      early: { median: 0, most: 0 },
      late: { median: 400, most: 400 },
      grew: false,
    },
  ]);
});
