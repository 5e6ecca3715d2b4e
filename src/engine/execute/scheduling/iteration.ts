import type { AgentContext, AgentResult } from '../../../agents/face.js';
import type { RenderOptionsInput } from '../../../language/face.js';
import type { JsonObject } from '../../../platform/json.js';

/** The template variables of one iteration, and the options that render to values. */
export type IterationInput = Partial<Pick<RenderOptionsInput, 'variables' | 'valueOptions'>>;

/** Renders the options of one agent and runs it, once per iteration. */
export interface Iterations {
  /** @throws TemplateError; TurnOver on the event loop. */
  render(options: JsonObject, more?: IterationInput): Promise<JsonObject>;
  /** @throws TemplateError, TimeSliceExceeded, and the agent's own errors. */
  run(options: JsonObject, context: AgentContext, more?: IterationInput): Promise<AgentResult>;
}

export interface AllIterations {
  options: JsonObject;
  iterations: Iterations;
  context: AgentContext;
}
