import type { AgentContext, AgentResult } from '../../../agents/agent.js';
import type { RenderOptionsInput } from '../../../language/option-renderer.js';
import type { JsonObject } from '../../../platform/json.js';

/** What templates see besides what is the same in each round, and what they give values for. */
export type RoundInput = Partial<Pick<RenderOptionsInput, 'variables' | 'valueOptions'>>;

/** Renders the options of one action, and runs it, as often as it has rounds. */
export interface Rounds {
  /** @throws TemplateError; TurnOver on an event loop. */
  render(options: JsonObject, more?: RoundInput): Promise<JsonObject>;
  /** @throws the same, and what the agent throws. */
  run(options: JsonObject, context: AgentContext, more?: RoundInput): Promise<AgentResult>;
}

export interface AllRounds {
  options: JsonObject;
  rounds: Rounds;
  context: AgentContext;
}
