import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonValue } from '../../platform/json.js';
import { inputOptions } from '../agents/mentions/action-inputs.js';
import type { ExportAgent } from '../export/export-form.js';
import type { StoryGraph } from '../graph/story-graph.js';
import { placeOf } from '../import/plan/warnings.js';
import { actionFaults } from './check-actions.js';
import type { CheckFinding } from './check-report.js';
import { CHECKS_HERE } from './checks-here.js';

const MAX_WARNINGS = 20;

/** An action in the form of an export, with its template inputs as exports keep them. */
export type ActionToWarn = Pick<ExportAgent, 'type' | 'name' | 'options'> & { action_inputs?: JsonValue[] };

/** Actions to check: a list of `ActionToWarn` as JSON text, in the language of their story. */
export interface WarningOrder {
  language: StoryGraph['language'];
  agents: string;
}

/** For `TASKS`: returns what keeps actions from working, or has no effect, as the check of their story names it. */
export function warningsOfActions({ language, agents }: WarningOrder): string[] {
  const { languages, agentTypes } = CHECKS_HERE;
  const warnings = (parseJson(agents) as unknown as (ExportAgent & ActionToWarn)[]).flatMap((agent) =>
    actionFaults({ agent, inputs: inputOptions(agent.action_inputs) }, languages[language], agentTypes).map(
      (finding) => warningOf(agent, finding),
    ),
  );
  const more = warnings.length - MAX_WARNINGS;
  return more <= 0 ? warnings : [...warnings.slice(0, MAX_WARNINGS), `and ${more} more`];
}

function warningOf({ name }: ExportAgent, { option, message, at }: CheckFinding): string {
  const where = at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
  return `"${name}", ${placeOf(option)}: ${message}${where}`;
}
