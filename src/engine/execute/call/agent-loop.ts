import { type AgentContext, type AgentResult, asksForLoop, type AgentOutput } from '../../../agents/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { MAX_OUTPUT_CHARACTERS, sizeWithin } from '../../../language/face.js';
import { createLoopYield } from '../../../platform/runtime/loop-yield.js';
import type { AllIterations, Iterations } from '../scheduling/iteration.js';

const MAX_ELEMENTS = 20_000;
/** Each call of a story is a run. */
const MAX_CALLS = 1_000;
const LOOP_AS_VALUE = ['loop'];

/** One round of a loop, as templates see it under `LOOP`. */
interface LoopElement {
  value: JsonValue;
  /** The position in a list, from 0; the key in an object. */
  key: string | number;
}

/**
 * Returns the elements of the option `loop`: of a list, or the keys and values of an object; undefined if the agent runs
 * once.
 * @throws PermanentJobError for any other value or too many elements, TemplateError.
 */
export async function loopOf(
  options: JsonObject,
  iterations: Iterations,
): Promise<LoopElement[] | undefined> {
  if (!asksForLoop(options)) return undefined;
  const { loop } = await iterations.render({ loop: options.loop ?? null }, { valueOptions: LOOP_AS_VALUE });
  const elements = elementsOf(loop ?? null);
  if (elements.length > MAX_ELEMENTS) {
    throw new PermanentJobError(
      `option loop has ${elements.length} elements; the maximum is ${MAX_ELEMENTS}`,
    );
  }
  return elements;
}

function elementsOf(value: JsonValue): LoopElement[] {
  if (Array.isArray(value)) return value.map((element, index) => ({ value: element, key: index }));
  if (isJsonObject(value)) return Object.entries(value).map(([key, element]) => ({ value: element, key }));
  if (value === null || value === '') return [];
  throw new PermanentJobError('option loop must be a list or an object');
}

interface Loop extends AllIterations {
  loop: LoopElement[];
}

/**
 * Runs the agent once per element, one after the other. Returns one event: the list of all outputs (docs/build/agents.md,
 * Loops). Templates see `LOOP.value`, `LOOP.key`, `LOOP.index` (from 0, as in explode), `LOOP.first`, `LOOP.last`,
 * `LOOP.length` and `LOOP.previous_result`. The event keeps the request of the last round that sent one.
 */
export async function runLoop({ loop, options, iterations, context }: Loop): Promise<AgentResult> {
  const { loop: _, ...once } = options;
  const { from, results } = await endedCalls(loop, context);
  const payloads: JsonValue[] = [];
  const yieldToLoop = createLoopYield();
  let previous: JsonValue = null;
  let request: string | undefined;
  let charactersLeft = MAX_OUTPUT_CHARACTERS;
  for (const [index, element] of loop.entries()) {
    if (index < from) continue;
    await yieldToLoop();
    context.signal().throwIfAborted();
    const variables: JsonObject = {
      LOOP: { ...loopVariable(element, index, loop.length), previous_result: previous },
    };
    const idempotencyKey = `${context.idempotencyKey}-${index}`;
    const run = () => iterations.run(once, withKey(context, idempotencyKey), { variables });
    const known = results[index - from];
    const result: AgentResult =
      known === undefined ? await run() : { outputs: known.map((payload) => ({ payload })) };
    // The delivery runs again when the called run has ended.
    if ('call' in result) return result;
    if (!('outputs' in result)) throw new PermanentJobError('this action type cannot loop');
    const put: JsonValue[] = result.outputs.map(({ payload }) => payload);
    charactersLeft -= sizeWithin(put, charactersLeft, {
      what: 'result of the loop',
      wholeLimit: MAX_OUTPUT_CHARACTERS,
    });
    for (const payload of put) payloads.push(payload);
    const last: AgentOutput | undefined = result.outputs.at(-1);
    request = last?.request ?? request;
    previous = put.length > 1 ? put : (put[0] ?? null);
  }
  return { outputs: [{ payload: payloads, ...(request !== undefined && { request }) }] };
}

interface KnownResults {
  /** The first round that is needed. */
  from: number;
  /** Results of the rounds from there on, as far as their calls have ended. */
  results: JsonValue[][];
}

/** Before the last call has ended, only the result of the previous one is read: all of them can be large. */
async function endedCalls(loop: LoopElement[], context: AgentContext): Promise<KnownResults> {
  if (context.endedCalls === undefined) return { from: 0, results: [] };
  if (loop.length > MAX_CALLS) {
    throw new PermanentJobError(`option loop has ${loop.length} elements; the maximum is ${MAX_CALLS} calls`);
  }
  const ended = await context.endedCalls();
  const from = ended.count < loop.length ? Math.max(ended.count - 1, 0) : 0;
  return { from, results: ended.count === 0 ? [] : await ended.results(from) };
}

/** Returns the context with another key. The prototype keeps the event lazy: a copy would assemble it. */
export function withKey(context: AgentContext, idempotencyKey: string): AgentContext {
  const round = `${context.round}${idempotencyKey.slice(context.idempotencyKey.length)}`;
  return Object.create(context, {
    idempotencyKey: { value: idempotencyKey },
    round: { value: round },
  }) as AgentContext;
}

function loopVariable({ value, key }: LoopElement, index: number, length: number): JsonObject {
  return {
    value,
    key,
    index,
    first: index === 0,
    last: index === length - 1,
    length,
  };
}
