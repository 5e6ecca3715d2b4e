import type { JsonValue } from '../../src/platform/json.js';
import { agentTexts, inputsOfAgent } from '../../src/stories/agents/mentions/agent-texts.js';
import type { StoryExport } from '../../src/stories/export/export-form.js';
import { allStories } from '../../src/stories/import/check-export.js';
import { languageOf } from '../../src/stories/import/plan/language.js';
import type { TemplateLanguage, TemplateScope } from '../../src/language/template.js';
import { AUTHOR_ERRORS } from './author-errors.js';
import { realExports } from './stories.js';

/** A text with templates of a real export. */
export interface CorpusText {
  /** File, action and place in it, for messages. */
  place: string;
  text: string;
}

/** The texts of the real exports with templates of this language, but for the authors' errors. */
export function corpusTexts(language: TemplateLanguage): CorpusText[] {
  return realExports().flatMap(([file, json]) =>
    allStories(JSON.parse(json) as StoryExport)
      .filter((story) => languageOf(story) === language.name)
      .flatMap((story) => story.agents.map((agent) => ({ agent, inputs: inputsOfAgent(story)(agent) })))
      .flatMap(({ agent, inputs }) =>
        agentTexts(agent, inputs).map(({ place, text }) => ({ action: agent.name, place, text })),
      )
      .filter(({ text }) => language.isTemplate(text))
      .filter(({ action, place }) => !isAuthorError(file, action, place))
      .map(({ action, place, text }) => ({ place: `${file}: ${action}, ${place}`, text })),
  );
}

function isAuthorError(file: string, action: string, place: string): boolean {
  const option = place.replace(/^options\./, '');
  return AUTHOR_ERRORS.some(
    (error) => error.file === file && error.action === action && error.option === option,
  );
}

/** A map that has everything, since the exports come without their teams' credentials and stories. */
class Everything<Value> extends Map<string, Value> {
  constructor(private readonly value: Value) {
    super();
  }

  override get(): Value {
    return this.value;
  }
}

/** Scope of the corpus: an event that has nothing its texts name, and a team that has all. */
export function corpusScope(resource: JsonValue): TemplateScope {
  return {
    event: {},
    resources: new Everything<JsonValue>(resource),
    credentials: new Everything('credential'),
    stories: new Everything<JsonValue>(1),
    meta: {},
    storyRunGuid: 'guid',
    prompt: (name) => `https://prompt.example/${name}`,
  };
}

/** Faults of rendering the texts, as text and as value. */
export function renderFailures(texts: CorpusText[], language: TemplateLanguage, scope: TemplateScope) {
  return texts.flatMap(({ place, text }) =>
    [false, true].flatMap((asValue) => {
      try {
        language.render(text, scope, { asValue });
        return [];
      } catch (error) {
        return [{ place, message: String(error), text: text.slice(0, 200) }];
      }
    }),
  );
}

/** Findings of the check in the texts. */
export function checkFaults(texts: CorpusText[], language: TemplateLanguage) {
  return texts.flatMap(({ place, text }) =>
    language.check(text).map(({ message }) => ({ place, message, text: text.slice(0, 200) })),
  );
}
