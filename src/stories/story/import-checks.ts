import { CHECKS_HERE, checkAgentHere, checkTemplatesHere } from '../check/checks-here.js';
import type { ReadImportDeps } from '../import/read-import.js';

/** The checks of an import with the agent types and languages of this server. */
export const IMPORT_CHECKS: ReadImportDeps = {
  agentTypes: CHECKS_HERE.agentTypes,
  checkTemplates: checkTemplatesHere,
  checkAgent: checkAgentHere,
};
