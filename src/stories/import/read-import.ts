import type { Problem } from '../../platform/errors.js';
import { merged } from '../../platform/validation/validate.js';
import type { StoryExport } from '../export-form.js';
import { type AgentTypes, allStories, checkExport } from './check-export.js';
import { type InspectedImport, inspectImport } from './import-request.js';
import { type TemplateChecker, type TemplateFaults, templateFaultsOf } from './warnings.js';

/** All that can be told of an import's body without the database: the costly part, and a pure one. */
export interface ReadImport extends Pick<InspectedImport, 'request' | 'usable'> {
  /** Of its structure, each naming the place. */
  shape: Problem[];
  /** Of the stories. */
  meaning: Problem[];
  /** Of each story of the request, in the order of `allStories`; empty where templates are not checked. */
  templateFaults: TemplateFaults[];
}

export interface ReadImportDeps {
  agentTypes: AgentTypes;
  /** Faults in templates become warnings, where a checker is given. */
  checkTemplates?: TemplateChecker | undefined;
}

/** Reads the body of an import. */
export function readImport(body: unknown, { agentTypes, checkTemplates }: ReadImportDeps): ReadImport {
  const { request, usable, problems: shape } = inspectImport(body);
  const meaning = usable.data === undefined ? [] : checkExport(usable.data, agentTypes);
  const isWhole = request !== undefined && shape.length + meaning.length === 0;
  const stories: StoryExport[] = isWhole && checkTemplates !== undefined ? allStories(request.data) : [];
  const templateFaults = stories.map((story) => templateFaultsOf(story, checkTemplates));
  return { request, usable, shape, meaning, templateFaults };
}

/** What is wrong with it, and with where it goes. */
export function importProblems({ shape, meaning }: ReadImport, ofHome: Problem[]): Problem[] {
  return merged(shape, [...ofHome, ...meaning]);
}
