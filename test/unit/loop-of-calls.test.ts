import type { AgentContext } from '../../src/agents/agent.js';
import { runLoop } from '../../src/engine/execute/call/agent-loop.js';
import type { Iterations } from '../../src/engine/execute/scheduling/iteration.js';
import type { JsonValue } from '../../src/platform/json.js';

/** Runs a loop of three calls of which these have ended; tells from which call on results were read. */
async function loopAfter(given: JsonValue[][]) {
  const read: number[] = [];
  const context = {
    idempotencyKey: 'key',
    round: '',
    signal: () => new AbortController().signal,
    endedCalls: () =>
      Promise.resolve({
        count: given.length,
        results: (from: number) => {
          read.push(from);
          return Promise.resolve(given.slice(from));
        },
      }),
  } as unknown as AgentContext;
  const seen: unknown[] = [];
  const iterations = {
    run: (_options: unknown, _context: unknown, more: { variables: { LOOP: unknown } }) => {
      seen.push(more.variables.LOOP);
      return Promise.resolve({ call: { story: 'helper' } });
    },
  } as unknown as Iterations;
  const loop = ['a', 'b', 'c'].map((value, key) => ({ value, key }));
  return { result: await runLoop({ loop, options: { loop }, iterations, context }), read, seen };
}

describe('a loop of calls', () => {
  it('reads nothing before the first call', async () => {
    const { result, read, seen } = await loopAfter([]);
    expect([result, read]).toEqual([{ call: { story: 'helper' } }, []]);
    expect(seen).toMatchObject([{ index: 0, previous_result: null }]);
  });

  it('reads before each next call what the call before it gave, and nothing else', async () => {
    const { result, read, seen } = await loopAfter([['large'], ['last']]);
    expect([result, read]).toEqual([{ call: { story: 'helper' } }, [1]]);
    expect(seen).toMatchObject([{ index: 2, previous_result: 'last' }]);
  });

  it('reads all results once, when the last call has ended', async () => {
    const { result, read, seen } = await loopAfter([['one'], [], ['two', 'three']]);
    expect(result).toEqual({ outputs: [{ payload: ['one', 'two', 'three'] }] });
    expect([read, seen]).toEqual([[0], []]);
  });
});
