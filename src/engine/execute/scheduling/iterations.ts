import type { AllIterations, IterationInput, Iterations } from './iteration.js';
import { type AgentResult, type AgentType, runAgent } from '../../../agents/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { renderOptions, type RenderOptionsInput } from '../../../language/face.js';
import { loopOf, runLoop } from '../call/agent-loop.js';
import { paginationOf, runPages } from '../call/agent-pages.js';

/** Returns iterations without limits of the event loop: for a thread, or a process without other work. */
export function createPlainIterations(
  type: AgentType,
  input: RenderOptionsInput,
  onRendered?: (options: JsonObject) => void,
): Iterations {
  const render = (options: JsonObject, more: IterationInput = {}) =>
    renderOptions(options, { ...input, ...more });
  return {
    render: (options, more) => Promise.resolve(render(options, more)),
    run: async (options, context, more) => {
      const rendered = render(options, more);
      onRendered?.(rendered);
      return runAgent(type, rendered, context);
    },
  };
}

/** Runs the agent once, once per element of its loop, or once per page. */
export async function runIterations(type: AgentType, all: AllIterations): Promise<AgentResult> {
  const { options, iterations, context } = all;
  const loop = options.loop === undefined ? undefined : await loopOf(options, iterations);
  const pagination = paginationOf(type, options);
  if (loop !== undefined && pagination !== undefined) {
    throw new PermanentJobError('options loop and pagination cannot be used together');
  }
  if (loop !== undefined) return runLoop({ loop, ...all });
  if (pagination !== undefined) return runPages({ pagination, ...all });
  return iterations.run(options, context);
}
