import * as fc from 'fast-check';
import { joinPortions, portionsOf } from '../../src/platform/threads/portions.js';

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ index, text: `${index}` }));
/** As it comes out of a thread. */
const sent = (value: unknown) => {
  const { portions, ...output } = portionsOf(value);
  return joinPortions({
    ...structuredClone(output),
    portions: portions.map((each) => structuredClone(each)),
  });
};

describe('what a thread returns', () => {
  it('S15: comes in portions if it has long lists, at any place', () => {
    const inner = { kind: 'inner', list: items(3_000) };
    const value = {
      name: 'a',
      list: [...items(5_000), inner],
      deep: [{ list: items(300) }],
      none: undefined,
    };
    const { rest, portions } = portionsOf(value);
    expect(JSON.stringify(rest).length).toBeLessThan(200);
    expect(portions.length).toBeGreaterThan(10);
    expect(Math.max(...portions.map((portion) => JSON.stringify(portion).length))).toBeLessThan(100_000);
    expect(sent(value)).toEqual(value);
  });

  it('S15: sends a list once that occurs twice', () => {
    const list = items(1_000);
    const { portions } = portionsOf({ first: { list }, second: { list } });
    expect(portions.flatMap((portion) => portion.items)).toHaveLength(1_000);
    const { first, second } = sent({ first: { list }, second: { list } }) as Record<
      string,
      { list: unknown }
    >;
    expect(first?.list).toEqual(list);
    expect(second?.list).toBe(first?.list);
  });

  it('comes whole if it is a little, and may be a list itself', () => {
    const little = { a: [1, 2, 3] };
    expect(portionsOf(little)).toEqual({ rest: little, places: [], portions: [] });
    expect(portionsOf(little).rest).toBe(little);
    expect(sent(items(500))).toEqual(items(500));
    expect(sent(undefined)).toBeUndefined();
  });

  it('is the same as it was, whatever it is', () => {
    const lists = fc.array(fc.anything({ withMap: true }), { size: 'max', maxLength: 300 });
    fc.assert(
      fc.property(fc.record({ lists, more: fc.jsonValue() }), (value) => {
        expect(sent(value)).toEqual(structuredClone(value));
      }),
      { numRuns: 50 },
    );
  });
});
