import type { AgentContext, RequestBody } from '../agents/agent.js';
import type { AgentType } from '../agents/index.js';
import { readOptions, runAgent } from '../agents/options.js';
import type { JsonObject } from '../json.js';
import { renderOptions, type RenderOptionsInput } from '../templates/option-renderer.js';
import { TurnOver } from '../text/time-limit.js';
import type { LogEntry } from './outcome.js';
import type { MadePrompts } from './prompt-links.js';
import type { CpuShare } from './cpu-shares.js';
import type { RoundInput, Rounds } from './rounds.js';
import type { RenderedInThread, RenderWork, ThreadScope } from './thread-work.js';
import type { WorkLane } from './work-lane.js';

/** Of options that are rendered in a thread, all templates together. */
const RENDER_DEADLINE_MS = 30_000;

export interface LoopRoundsInput {
  type: AgentType;
  share: CpuShare;
  lane: WorkLane;
  input: RenderOptionsInput;
  /** The input is too large for the event loop. */
  isLarge: boolean;
  scope(): ThreadScope;
  prompts: MadePrompts;
  logs: LogEntry[];
  signal(): AbortSignal;
}

/**
 * Rounds on an event loop that others share. What takes too long for it: the options of an action that sends are rendered in a thread;
 * an action that only computes fails with TurnOver, to be done in a thread as a whole.
 */
export function createLoopRounds(given: LoopRoundsInput): Rounds {
  return given.type.computes === true ? computing(given) : sending(given);
}

function computing({ type, share, lane, input }: LoopRoundsInput): Rounds {
  const renderNow = (options: JsonObject, more: RoundInput = {}) =>
    renderOptions(options, { ...input, ...more });
  const onLoop = async <T>(work: () => T): Promise<T> => {
    if (!lane.isFree(share)) throw new TurnOver();
    return lane.onLoop(share, work);
  };
  return {
    render: (options, more) => onLoop(() => renderNow(options, more)),
    run: async (options, context, more) =>
      onLoop(() => type.run(readOptions<never>(type.options, renderNow(options, more)), context)),
  };
}

function sending(given: LoopRoundsInput): Rounds {
  const { type, share, lane } = given;
  const render = async (options: JsonObject, round: Round = {}): Promise<Rendered> => {
    const { more = {} } = round;
    if (given.isLarge || !lane.isFree(share)) return renderInThread(options, given, round);
    const logged = given.logs.length;
    try {
      const rendered = await lane.onLoop(share, () => renderOptions(options, { ...given.input, ...more }));
      return { rendered };
    } catch (error) {
      if (!(error instanceof TurnOver)) throw error;
      given.logs.length = logged;
      return renderInThread(options, given, round);
    }
  };
  return {
    render: async (options, more) => (await render(options, { more })).rendered,
    async run(options, context, more) {
      const sends = { type: type.type, idempotencyKey: context.idempotencyKey };
      const { rendered, body } = await render(options, { more, sends });
      const ready = body === undefined ? context : withBody(context, body);
      return lane.hereInTime(share, () => runAgent(type, rendered, ready));
    },
  };
}

interface Round {
  more?: RoundInput | undefined;
  /** The action that is run with what comes of it. */
  sends?: RenderWork['sends'];
}

type Rendered = Pick<RenderedInThread, 'rendered' | 'body'>;

/** Out of a thread bytes come as a plain array of them. */
function withBody(context: AgentContext, { body, contentType }: RequestBody): AgentContext {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Object.create(context, { body: { value: { body: bytes, contentType } } }) as AgentContext;
}

async function renderInThread(
  options: JsonObject,
  given: LoopRoundsInput,
  { more = {}, sends }: Round,
): Promise<Rendered> {
  const { lane, share, prompts } = given;
  const work = { ...given.scope(), options: JSON.stringify(options), more, sends };
  const limits = { deadlineMs: RENDER_DEADLINE_MS, signal: given.signal() };
  const done = await lane.render(share, work, limits);
  for (const [status, id] of done.prompts) prompts.set(status, id);
  given.logs.push(...done.logs);
  lane.handled(share, done.characters);
  return done;
}
