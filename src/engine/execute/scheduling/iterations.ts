import type { AllIterations } from './iteration.js';
import type { AgentResult, AgentType } from '../../../agents/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import { loopOf, runLoop } from '../call/agent-loop.js';
import { paginationOf, runPages } from '../call/agent-pages.js';

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
