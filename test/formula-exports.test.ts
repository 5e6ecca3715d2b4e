import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonValue } from '../src/json.js';
import { createFormulaLanguage } from '../src/templates/formula/formula-language.js';
import type { TemplateScope } from '../src/templates/template.js';

/** Real exports lie beside a developer's checkout; they are not part of the repository. */
const folder = path.resolve(__dirname, '../../shared/stories');

interface Export {
  schema_version?: number;
  standard_lib_version?: string;
  agents: { name: string; options: JsonValue }[];
  send_to_stories?: Export[];
}

function* textsOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) yield* textsOf(item);
}

function formulaTexts(): { place: string; text: string }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const story = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Export;
    const formulas = (part: Export) =>
      part.standard_lib_version !== undefined || (part.schema_version ?? 1) >= 6;
    const agents = [story, ...(story.send_to_stories ?? [])].filter(formulas).flatMap((part) => part.agents);
    return agents.flatMap(({ name, options }) =>
      [...textsOf(options)].map((text) => ({ place: `${file}: ${name}`, text })),
    );
  });
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

const scope: TemplateScope = {
  event: {},
  resources: new Everything<JsonValue>([]),
  credentials: new Everything('credential'),
  stories: new Everything<JsonValue>(1),
  meta: {},
  storyRunGuid: 'guid',
};

const present = existsSync(folder);
const suite = present ? describe : describe.skip;

suite(`the formulas of real exports${present ? '' : ' (skipped: ../shared/stories is missing)'}`, () => {
  const language = createFormulaLanguage({ promptLink: (name) => `https://prompt.example/${name}` });
  const texts = present ? formulaTexts().filter(({ text }) => language.isTemplate(text)) : [];

  it('parse, every one, with functions that are known', () => {
    expect(texts.length).toBeGreaterThan(300);
    const faults = texts.flatMap(({ place, text }) =>
      language.check(text).map(({ message }) => ({ place, message, text: text.slice(0, 200) })),
    );
    expect(faults).toEqual([]);
  });

  it('give a value, every one, for an event that has nothing they name', () => {
    const failures = texts.flatMap(({ place, text }) =>
      [false, true].flatMap((asValue) => {
        try {
          language.render(text, scope, { asValue });
          return [];
        } catch (error) {
          return [{ place, message: String(error), text: text.slice(0, 200) }];
        }
      }),
    );
    expect(failures).toEqual([]);
  });
});
