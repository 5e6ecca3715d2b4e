import { checkExport, CHECKS_HERE, type ImportRequest, readExport } from '../../stories/face.js';

/** A story that an import would take, or each reason why not. */
export type Importable =
  | { request: ImportRequest; refusals?: undefined }
  | { request?: undefined; refusals: string[] };

/** Reads the text of an export, or of an import's body, as an import would. */
export function readImportable(text: string): Importable {
  const { request, refusals } = readExport(text);
  const problems = request === undefined ? refusals : checkExport(request.data, CHECKS_HERE.agentTypes);
  if (request !== undefined && problems.length === 0) return { request };
  return { refusals: problems.map(({ message }) => message) };
}
