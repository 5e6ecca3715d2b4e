import type { Problem } from '../../platform/errors.js';
import { mergedProblems } from '../../platform/validation/validate.js';
import type { StoryExport } from '../export/export-form.js';
import { type AgentTypes, allStories, checkExport } from './check-export.js';
import { type InspectedImport, inspectImport } from './import-request.js';
import {
  type AgentChecker,
  type TemplateChecker,
  type TemplateFaults,
  templateFaultsOf,
} from './plan/warnings.js';

/** Everything about an import's body that needs no database: the expensive part, without side effects. */
export interface ReadImport extends Pick<InspectedImport, 'request' | 'usable'> {
  /** Faults of its structure, each with its path. */
  shape: Problem[];
  /** Faults of its stories. */
  meaning: Problem[];
  /** For each story of the request, in the order of `allStories`. */
  templateFaults: TemplateFaults[];
}

export interface ReadImportDeps {
  agentTypes: AgentTypes;
  /** If given, faults in templates become warnings. */
  checkTemplates?: TemplateChecker | undefined;
  /** If given, faults in options become warnings. */
  checkAgent?: AgentChecker | undefined;
}

/** Reads the body of an import. */
export function readImport(body: unknown, deps: ReadImportDeps): ReadImport {
  const { request, usable, problems: shape } = inspectImport(body);
  const meaning = usable.data === undefined ? [] : checkExport(usable.data, deps.agentTypes);
  const isWhole = request !== undefined && shape.length + meaning.length === 0;
  const stories: StoryExport[] = isWhole ? allStories(request.data) : [];
  const templateFaults = stories.map((story) => templateFaultsOf(story, deps));
  return { request, usable, shape, meaning, templateFaults };
}

/** Combines the faults of the body with those of its target team and folder. */
export function importProblems({ shape, meaning }: ReadImport, ofHome: Problem[]): Problem[] {
  return mergedProblems(shape, [...ofHome, ...meaning]);
}
