import * as fc from 'fast-check';
import { compare, compareInPairs, inTurns, quantile } from '../bench/figures.js';
import { createResponseReader } from '../bench/load/response-reader.js';
import { requestBytes } from '../bench/load/request-bytes.js';

/** Tests of the bench's own tools; `npm run bench` itself is too long for a test. */
describe('the load generator', () => {
  const ANSWER = 'HTTP/1.1 201 Created\r\nX-A: b\r\ncontent-length: 5\r\n\r\nHello';

  it('reads answers however they are cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: ANSWER.length - 1 }), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const statuses: number[] = [];
        const read = createResponseReader((status) => statuses.push(status));
        const edges = [0, ...places.toSorted((a, b) => a - b), ANSWER.length];
        // Twice: the second one finds nothing left of the first.
        for (let response = 0; response < 2; response += 1)
          edges.slice(1).forEach((edge, index) => read(Buffer.from(ANSWER.slice(edges[index], edge))));
        expect(statuses).toEqual([201, 201]);
      }),
    );
  });

  it('writes calls with and without a body', () => {
    const url = 'http://127.0.0.1:8080/a?b[]=1';
    const posted = requestBytes({ url, headers: { 'x-key': 'k' }, body: '"é"' }).toString();
    const head = 'POST /a?b[]=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nx-key: k\r\n';
    expect(posted).toBe(`${head}Content-Type: application/json\r\nContent-Length: 4\r\n\r\n"é"`);
    const got = requestBytes({ url, method: 'GET' }).toString();
    expect(got).toBe('GET /a?b[]=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n');
  });

  it('refuses answers that it cannot tell the end of', () => {
    const read = createResponseReader(() => undefined);
    expect(() => read(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow(/without Content-Length/);
    expect(() => read(Buffer.from(`${ANSWER}${ANSWER}`))).toThrow(/More came/);
  });
});

describe('the figures', () => {
  it('are of floor and product in turns, and the ratio is the median of the turns', async () => {
    const order: string[] = [];
    const side = (name: string, values: number[]) => async () => {
      order.push(name);
      return values.shift() ?? 0;
    };
    // The machine was half as fast in the second turn, for both.
    const turns = await inTurns(3, side('floor', [100, 50, 100]), side('product', [80, 40, 70]));
    expect(order).toEqual(['floor', 'product', 'floor', 'product', 'floor', 'product']);
    expect(compare(turns, (rate) => rate)).toEqual({ floor: 100, product: 70, ratio: 0.8 });
  });

  it('of pairs have a ratio in which twice and half as much cancel out, and say how sure it is', () => {
    expect(compareInPairs([100, 50, 80], [200, 25, 80])).toEqual({
      floor: 80,
      product: 80,
      ratio: 1,
      spread: expect.closeTo((2 * Math.log(2)) / Math.sqrt(3), 9),
    });
    expect(compareInPairs([10, 20], [15, 30])).toMatchObject({ ratio: expect.closeTo(1.5, 9), spread: 0 });
  });

  it('have quantiles by rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 51, 100, 100]);
    expect(() => quantile([], 0.5)).toThrow();
  });
});
