import type { AgentContext, AgentResult } from '../../../agents/face.js';
import type { RenderOptionsInput } from '../../../language/face.js';
import type { JsonObject } from '../../../platform/json.js';

/** The template variables of one round, and the options that render to values. */
export type RoundInput = Partial<Pick<RenderOptionsInput, 'variables' | 'valueOptions'>>;

/** Renders the options of one agent and runs it, once per round. */
export interface Rounds {
  /** @throws TemplateError; TurnOver on the event loop. */
  render(options: JsonObject, more?: RoundInput): Promise<JsonObject>;
  /** @throws the same, and what the agent throws. */
  run(options: JsonObject, context: AgentContext, more?: RoundInput): Promise<AgentResult>;
}

export interface AllRounds {
  options: JsonObject;
  rounds: Rounds;
  context: AgentContext;
}
