import { AGENT_CHECKS } from '../../agents/face.js';
import { createLanguages } from '../../language/face.js';
import type { AgentChecker, TemplateChecker } from '../import/plan/warnings.js';
import { definitionFaults } from './check-actions.js';

/** The checks of stories with the agent types and languages of this server. */
export const CHECKS_HERE = {
  agentTypes: AGENT_CHECKS,
  languages: createLanguages(),
};

export const checkTemplatesHere: TemplateChecker = (text, language) =>
  CHECKS_HERE.languages[language].check(text);

/** An import names what is only stored by itself. */
export const checkAgentHere: AgentChecker = (action, language) =>
  definitionFaults(action, CHECKS_HERE.languages[language], AGENT_CHECKS).filter(
    ({ kind }) => kind !== 'type',
  );
