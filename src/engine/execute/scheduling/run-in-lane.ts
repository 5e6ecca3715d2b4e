import { type AgentContext, type AgentResult, type AgentType, isNamed } from '../../../agents/face.js';
import type { JsonObject } from '../../../platform/json.js';
import {
  type Mentions,
  mentions,
  type RenderOptionsInput,
  type TemplateLanguage,
  together,
} from '../../../language/face.js';
import { MAX_SLICE_CHARACTERS, TimeSliceExceeded } from '../../../platform/runtime/time-limit.js';
import type { AgentInput } from '../call/agent-input.js';
import type { AgentCall, CallResult, Work } from '../call/call.js';
import type { CpuShare } from './cpu-shares.js';
import { createLoopIterations } from './loop-iterations.js';
import { runIterations } from './iterations.js';
import { createPlainIterations } from './plain-iterations.js';
import type { OpenedSecrets } from '../../secrets/opened-secrets.js';
import { textOfOptions } from './thread-scope.js';
import type { ThreadScope } from './thread-work.js';
import type { WorkLane } from './work-lane.js';
import { parseJson } from '../../../platform/json/parse-json.js';

/** Options with longer JSON are parsed in a thread: their templates take long to parse. */
const MAX_OPTIONS_CHARACTERS = 32 * 1024;
/** Far beyond the limits of renders and searches, which are reached first. */
const DEADLINE_MS = { once: 30_000, loop: 120_000, mentions: 30_000 };

/** Returns what the agent's templates refer to; its template inputs count if one of them names `INPUT`. */
export async function mentionsOf(work: Work, language: TemplateLanguage, call: AgentCall): Promise<Mentions> {
  const { options, inputs } = work.agent;
  const found = await mentionsIn(options, work, { language, call });
  if (inputs === undefined || !isNamed('INPUT', found.slugs)) return found;
  return together(found, await mentionsIn(inputs, work, { language, call }));
}

/** Long options are parsed in a thread, once. */
async function mentionsIn(
  options: JsonObject,
  work: Work,
  { language, call }: { language: TemplateLanguage; call: AgentCall },
): Promise<Mentions> {
  const { lane } = call.deps;
  if (lane === undefined || textOfOptions(options).length <= MAX_OPTIONS_CHARACTERS) {
    return mentions(options, language);
  }
  return lane.mentions(shareOf(work), options, {
    language: language.name,
    deadlineMs: DEADLINE_MS.mentions,
    signal: call.stop.signal,
  });
}

const NO_INPUTS: JsonObject = {};

interface LaneInput {
  type: AgentType;
  render: RenderOptionsInput;
  input: AgentInput;
  context: AgentContext;
  scope: () => ThreadScope;
  call: AgentCall;
}

const shareOf = ({ story, agent }: Work): CpuShare => ({ tenantId: story.tenantId, agentId: agent.id });

/** Runs the agent on the event loop; longer work of an agent that only computes runs in a thread, with all its iterations. */
export async function runInLane(work: Work, given: LaneInput): Promise<CallResult> {
  const { render, input, context, scope, call } = given;
  // An agent that only computes sends no secret that a response could contain.
  const type = given.type.computes === true ? given.type : redacting(given.type, call.secrets());
  const { options, inputs = NO_INPUTS } = work.agent;
  const { lane } = call.deps;
  if (lane === undefined) {
    const iterations = createPlainIterations(type, render, call.onRendered);
    return runIterations(type, { options, context, iterations });
  }
  const share = shareOf(work);
  if (type.computes !== true) readInThread(context, options, writerOf(share, lane, call));
  const isLarge =
    input.characters > MAX_SLICE_CHARACTERS ||
    textOfOptions(options).length + textOfOptions(inputs).length > MAX_OPTIONS_CHARACTERS;
  const signal = () => call.stop.signal;
  const { prompts, logs } = call;
  const iterations = createLoopIterations({
    type,
    share,
    lane,
    input: render,
    isLarge,
    scope,
    prompts,
    logs,
    signal,
    onRendered: call.onRendered,
  });
  if (type.computes !== true) return runIterations(type, { options, context, iterations });
  const logged = call.logs.length;
  try {
    if (!isLarge) return await runIterations(type, { options, context, iterations });
  } catch (error) {
    if (!(error instanceof TimeSliceExceeded)) throw error;
    call.logs.length = logged;
  }
  return iterationsInThread(work, { ...given, lane });
}

/** Has large responses read in a thread. Iterations need the value for the next one; otherwise the text is enough. */
function readInThread(context: AgentContext, options: JsonObject, write: ResponseWriter): void {
  const hasIterations = options.loop !== undefined || options.pagination !== undefined;
  if (hasIterations)
    context.readResponse = async (response) => parseJson(await write(response)) as JsonObject;
  else context.writeResponse = write;
}

type ResponseWriter = NonNullable<AgentContext['writeResponse']>;

function writerOf(share: CpuShare, lane: WorkLane, { secrets, stop }: AgentCall): ResponseWriter {
  return async ({ status, headers, body }) => {
    const limits = { deadlineMs: DEADLINE_MS.once, signal: stop.signal };
    const done = await lane.writeResponse(
      share,
      { status, headers, body, secrets: secrets().texts() },
      limits,
    );
    lane.handled(share, done.text.length);
    return done.text;
  };
}

async function iterationsInThread(work: Work, given: LaneInput & { lane: WorkLane }): Promise<CallResult> {
  const { context, scope, call, lane } = given;
  const { options } = work.agent;
  const { agent, story, storyRunGuid, resumed, attempt, maxAttempts, idempotencyKey } = context;
  const data = { agent, story, storyRunGuid, resumed, attempt, maxAttempts, idempotencyKey };
  const keepsRendered = call.onRendered !== undefined;
  const order = {
    ...scope(),
    options: textOfOptions(options),
    type: work.agent.type,
    context: data,
    keepsRendered,
  };
  const deadlineMs = options.loop === undefined ? DEADLINE_MS.once : DEADLINE_MS.loop;
  const done = await lane.runIterations(shareOf(work), order, { deadlineMs, signal: call.stop.signal });
  if (done.rendered !== undefined) call.onRendered?.(done.rendered);
  call.logs.push(...done.logs);
  for (const [status, id] of done.prompts) call.prompts.set(status, id);
  return done.result;
}

/** Returns the agent with outputs redacted of the secrets it sent: some servers echo them. */
function redacting(type: AgentType, secrets: OpenedSecrets): AgentType {
  return {
    ...type,
    run: async (options, context) => redacted(await type.run(options, context), secrets),
  };
}

function redacted(result: AgentResult, secrets: OpenedSecrets): AgentResult {
  if (!('outputs' in result) || secrets.list().length === 0) return result;
  const outputs = result.outputs.map((output) => ({
    ...output,
    payload: secrets.redactValue(output.payload),
  }));
  return { ...result, outputs };
}
