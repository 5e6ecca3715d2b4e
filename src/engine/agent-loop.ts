import type { AgentContext, AgentResult } from '../agents/agent.js';
import type { AgentType } from '../agents/index.js';
import { runAgent } from '../agents/options.js';
import { PermanentJobError } from '../errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { MAX_OUTPUT_CHARACTERS } from '../templates/limits.js';
import { renderOptions, type RenderOptionsInput } from '../templates/option-renderer.js';
import { sizeWithin } from '../templates/value-size.js';
import { createTurns } from './agent-turns.js';

const MAX_ELEMENTS = 20_000;
/** Values of `loop` that mean the action runs once. */
const NO_LOOP: unknown[] = [undefined, null, false, '', 'false'];

/** One round of a loop, as templates see it under `LOOP`. */
interface LoopElement {
  value: JsonValue;
  /** The position in a list, from 0; the key in an object. */
  key: string | number;
}

/**
 * What the option `loop` goes over: the elements of a list, or the keys and values of an object; undefined when the
 * action runs once.
 * @throws PermanentJobError when it is anything else, TemplateError.
 */
export function loopOf(options: JsonObject, input: RenderOptionsInput): LoopElement[] | undefined {
  if (NO_LOOP.includes(options.loop)) return undefined;
  const { loop } = renderOptions({ loop: options.loop ?? null }, { ...input, valueOptions: ['loop'] });
  const elements = elementsOf(loop ?? null);
  if (elements.length > MAX_ELEMENTS) {
    throw new PermanentJobError(`option loop has ${elements.length} elements; ${MAX_ELEMENTS} are the most`);
  }
  return elements;
}

function elementsOf(value: JsonValue): LoopElement[] {
  if (Array.isArray(value)) return value.map((element, index) => ({ value: element, key: index }));
  if (isJsonObject(value)) return Object.entries(value).map(([key, element]) => ({ value: element, key }));
  if (value === null || value === '') return [];
  throw new PermanentJobError('option loop must be a list or an object');
}

interface Loop {
  loop: LoopElement[];
  options: JsonObject;
  input: RenderOptionsInput;
  context: AgentContext;
}

/**
 * Runs the agent once for each element, one after the other: one event, the list of what the rounds put out
 * (docs/agents.md, Loops). Templates see `LOOP.value`, `LOOP.key`, `LOOP.index` (from 0, as explode
 * counts), `LOOP.first`, `LOOP.last`, `LOOP.length` and `LOOP.previous_result`.
 */
export async function runLoop(
  type: AgentType,
  { loop, options, input, context }: Loop,
): Promise<AgentResult> {
  const { loop: _, ...once } = options;
  const payloads: JsonValue[] = [];
  const giveTurn = createTurns();
  let previous: JsonValue = null;
  let charactersLeft = MAX_OUTPUT_CHARACTERS;
  for (const [index, element] of loop.entries()) {
    await giveTurn();
    context.signal().throwIfAborted();
    const variables = {
      LOOP: { ...loopVariable(element, index, loop.length), previous_result: previous },
    };
    const rendered = renderOptions(once, { ...input, variables });
    const result = await runAgent(type, rendered, {
      ...context,
      idempotencyKey: `${context.idempotencyKey}-${index}`,
    });
    if (!('outputs' in result)) throw new PermanentJobError('this kind of action cannot loop');
    const put = result.outputs.map(({ payload }) => payload);
    charactersLeft -= sizeWithin(put, charactersLeft, {
      what: 'result of the loop',
      wholeLimit: MAX_OUTPUT_CHARACTERS,
    });
    for (const payload of put) payloads.push(payload);
    previous = put.length > 1 ? put : (put[0] ?? null);
  }
  return { outputs: [{ payload: payloads }] };
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
