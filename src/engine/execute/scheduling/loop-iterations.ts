import {
  type AgentContext,
  type AgentType,
  readOptions,
  type RequestBody,
  runAgent,
} from '../../../agents/face.js';
import type { JsonObject } from '../../../platform/json.js';
import { renderOptions, type RenderOptionsInput } from '../../../language/face.js';
import { TimeSliceExceeded } from '../../../platform/runtime/time-limit.js';
import type { AgentLogEntry } from '../../state/outcome.js';
import type { MadePrompts } from '../../prompts/prompt-links.js';
import type { CpuShare } from './cpu-shares.js';
import type { IterationInput, Iterations } from './iteration.js';
import type { RenderedInThread, RenderWork, ThreadScope } from './thread-work.js';
import type { WorkLane } from './work-lane.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** Limit for rendering all templates of the options in a thread. */
const RENDER_DEADLINE_MS = 30_000;

export interface LoopIterationsInput {
  type: AgentType;
  share: CpuShare;
  lane: WorkLane;
  input: RenderOptionsInput;
  /** The input is too large for the event loop. */
  isLarge: boolean;
  scope(): ThreadScope;
  prompts: MadePrompts;
  logs: AgentLogEntry[];
  signal(): AbortSignal;
  /** The same as in `Call`. */
  onRendered?: ((options: JsonObject) => void) | undefined;
}

/**
 * Runs iterations on the shared event loop. If rendering takes too long for it, an agent that sends renders in a thread. An
 * agent that only computes throws TurnOver, and a thread repeats its whole work.
 */
export function createLoopIterations(given: LoopIterationsInput): Iterations {
  return given.type.computes === true ? computing(given) : sending(given);
}

function computing({ type, share, lane, input, onRendered }: LoopIterationsInput): Iterations {
  const renderNow = (options: JsonObject, more: IterationInput = {}) =>
    renderOptions(options, { ...input, ...more });
  const onLoop = async <T>(work: () => T): Promise<T> => {
    if (!lane.isFree(share)) throw new TimeSliceExceeded();
    return lane.onLoop(share, work);
  };
  return {
    render: (options, more) => onLoop(() => renderNow(options, more)),
    run: async (options, context, more) =>
      onLoop(() => {
        const rendered = renderNow(options, more);
        onRendered?.(rendered);
        return type.run(readOptions<never>(type.options, rendered), context);
      }),
  };
}

function sending(given: LoopIterationsInput): Iterations {
  const { type, share, lane } = given;
  const render = async (options: JsonObject, round: Iteration = {}): Promise<Rendered> => {
    const { more = {} } = round;
    if (given.isLarge || !lane.isFree(share)) return renderInThread(options, given, round);
    const logged = given.logs.length;
    try {
      const rendered = await lane.onLoop(share, () => renderOptions(options, { ...given.input, ...more }));
      return { rendered };
    } catch (error) {
      if (!(error instanceof TimeSliceExceeded)) throw error;
      given.logs.length = logged;
      return renderInThread(options, given, round);
    }
  };
  return {
    render: async (options, more) => (await render(options, { more })).rendered,
    async run(options, context, more) {
      const sends = { type: type.type, idempotencyKey: context.idempotencyKey };
      const { rendered, body } = await render(options, { more, sends });
      given.onRendered?.(rendered);
      const ready = body === undefined ? context : withBody(context, body);
      return lane.onLoopWithinBudget(share, () => runAgent(type, rendered, ready));
    },
  };
}

interface Iteration {
  more?: IterationInput | undefined;
  /** The agent that sends a request with the rendered options. */
  sends?: RenderWork['sends'];
}

type Rendered = Pick<RenderedInThread, 'rendered' | 'body'>;

/** A thread returns the body as Uint8Array; the agent needs a Buffer. */
function withBody(context: AgentContext, { body, contentType }: RequestBody): AgentContext {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Object.create(context, { body: { value: { body: bytes, contentType } } }) as AgentContext;
}

async function renderInThread(
  options: JsonObject,
  given: LoopIterationsInput,
  { more = {}, sends }: Iteration,
): Promise<Rendered> {
  const { lane, share, prompts } = given;
  const work = {
    ...given.scope(),
    options: stringifyJson(options),
    more,
    sends,
    keepsPayload: given.onRendered !== undefined,
  };
  const limits = { deadlineMs: RENDER_DEADLINE_MS, signal: given.signal() };
  const done = await lane.render(share, work, limits);
  for (const [status, id] of done.prompts) prompts.set(status, id);
  given.logs.push(...done.logs);
  lane.handled(share, done.characters);
  return done;
}
