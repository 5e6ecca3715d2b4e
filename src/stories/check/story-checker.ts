import type { TemplateDependencies, TemplateLanguage } from '../../language/face.js';
import type { StoryExport } from '../export/export-form.js';
import { type AgentTypes, checkExport, subStories } from '../import/check-export.js';
import type { ImportRequest } from '../import/import-request.js';
import { languageOf } from '../import/plan/language.js';
import { planImport } from '../import/plan/plan-import.js';
import { warningsOf } from '../import/plan/warnings.js';
import { firstProblems, mergedProblems } from '../../platform/validation/validate.js';
import { checkActions } from './check-actions.js';
import type { ActionTypes } from './check-options.js';
import type { FileReport, StoryReport } from './check-report.js';
import { readExport } from './read-export.js';
import { needsOf } from './story-needs.js';

export interface StoryCheckerDeps {
  agentTypes: AgentTypes & ActionTypes;
  languages: Record<TemplateLanguage['name'], TemplateLanguage>;
}

/** Checks the text of an export without a database: what an import would refuse and which actions would run. */
export function createStoryChecker({ agentTypes, languages }: StoryCheckerDeps) {
  const checkStory = (story: StoryExport, dependencies: Partial<TemplateDependencies>[]): StoryReport => {
    const language = languages[languageOf(story)];
    const actions = checkActions(story, language, agentTypes);
    for (const action of actions) dependencies.push(...action.dependencies);
    return {
      name: story.name,
      schemaVersion: story.schema_version,
      language: language.name,
      links: story.links.length,
      actions: actions.map(({ report }) => report),
      subStories: subStories(story).map((embedded) => checkStory(embedded, dependencies)),
    };
  };
  return {
    /** `file` is the name of the text in the report. */
    check(file: string, text: string): FileReport {
      const read = readExport(text);
      const { request } = read;
      if (request === undefined) {
        const refusals = firstProblems(mergedProblems(read.refusals, checkExport(read.usable, agentTypes)));
        return { file, refusals, warnings: [], story: undefined, needs: needsOf([]) };
      }
      const dependencies: Partial<TemplateDependencies>[] = [];
      const story = checkStory(request.data, dependencies);
      return {
        file,
        refusals: firstProblems(checkExport(request.data, agentTypes)),
        warnings: importWarnings(request, agentTypes),
        story,
        needs: needsOf(dependencies, request.data),
      };
    },
  };
}

/** Returns the warnings of an import into an empty team, without those about single actions. */
function importWarnings(request: ImportRequest, agentTypes: AgentTypes): string[] {
  const warnings: string[] = [];
  const plan = planImport(request, undefined, {
    newGuid: () => '(made by the import)',
    names: new Set(),
    taken: new Set(),
    warnings,
  });
  return [...warningsOf(plan.written, { ...agentTypes, runnable: () => undefined }, []), ...warnings];
}
