import { readFileSync } from 'node:fs';
import path from 'node:path';
import { entriesOf } from '../../src/trial/report/trial-report.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderOptions } from '../../src/language/option-renderer.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { inputOptions } from '../../src/stories/agents/mentions/action-inputs.js';
import { storyOf } from '../support/stories.js';
import { requestOf, tryGolden } from '../support/try-golden.js';
import { templateScope } from '../support/template-scope.js';

const LANGUAGES = { formula: createFormulaLanguage(), liquid: createLiquidLanguage() };

/** A recipe's template, and its result. */
interface RenderRecipe {
  language?: keyof typeof LANGUAGES;
  event: JsonObject;
  inputs?: JsonObject[];
  write: JsonValue;
  gives: JsonValue;
}

/** A story, and how many requests a run of it sends. */
interface StoryRecipe {
  agents: Parameters<typeof storyOf>[0];
  links: string[];
  answers: JsonObject[];
  requests: number;
}

const page = readFileSync(path.resolve(__dirname, '../../docs/build/recipes.md'), 'utf8');
const recipes = page
  .split(/^## /m)
  .slice(1)
  .map((section): [title: string, recipe: RenderRecipe | StoryRecipe] => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
    return [section.slice(0, section.indexOf('\n')), JSON.parse(json) as RenderRecipe | StoryRecipe];
  });

const isStory = (recipe: RenderRecipe | StoryRecipe): recipe is StoryRecipe => 'agents' in recipe;

function rendered({ language = 'formula', event, inputs, write }: RenderRecipe): JsonValue {
  const scope = templateScope(event);
  const input = { language: LANGUAGES[language], scope, inputs: inputOptions(inputs) };
  const { payload } = renderOptions({ payload: { part: write } }, input) as { payload: { part: JsonValue } };
  return payload.part;
}

async function requestsOf({ agents, links, answers }: StoryRecipe): Promise<number> {
  const file = { start: { agent: Object.keys(agents)[0], payload: {} }, values: {}, answers };
  const request = requestOf(JSON.stringify(storyOf(agents, links)));
  const report = await tryGolden(request, file as unknown as Parameters<typeof tryGolden>[1]);
  expect(entriesOf(report, 'dead_letter')).toEqual([]);
  return entriesOf(report, 'request').length;
}

describe('docs/build/recipes.md', () => {
  it('L15: has fifteen recipes', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(15);
  });

  it.each(recipes)('L15: %s', async (_title, recipe) => {
    if (isStory(recipe)) expect(await requestsOf(recipe)).toBe(recipe.requests);
    else expect(rendered(recipe)).toEqual(recipe.gives);
  });
});
