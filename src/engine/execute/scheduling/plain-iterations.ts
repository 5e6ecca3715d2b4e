import { type AgentType, runAgent } from '../../../agents/face.js';
import { renderOptions, type RenderOptionsInput } from '../../../language/face.js';
import type { JsonObject } from '../../../platform/json.js';
import type { IterationInput, Iterations } from './iteration.js';

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
