import { checkAgentHere, CHECKS_HERE, checkTemplatesHere } from '../check/checks-here.js';
import { type ReadImport, readImport, type ReadImportDeps } from './read-import.js';

/** The checks of an import with the agent types and languages of this server. */
export const IMPORT_CHECKS: ReadImportDeps = {
  agentTypes: CHECKS_HERE.agentTypes,
  checkTemplates: checkTemplatesHere,
  checkAgent: checkAgentHere,
};

/** Reads the body of an import with them. */
export function readImportHere(body: unknown): ReadImport {
  return readImport(body, IMPORT_CHECKS);
}
