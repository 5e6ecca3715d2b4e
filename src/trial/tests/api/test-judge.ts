import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import type { JudgeStory, TestsVerdict } from '../../../stories/face.js';
import { runTestsOf, type TestRunServiceDeps } from './test-run-service.js';
import { embedCalled } from './tested-story.js';

/** Most differences that are told of one test. */
const MOST_TOLD = 5;

/** Returns what runs the tests of a story before it is published: in a thread, within the limits of other runs of tests. */
export function createTestJudge(deps: TestRunServiceDeps): JudgeStory {
  return async (actor, story) => {
    const { text } = await embedCalled(actor, story, deps);
    return verdictOf(await runTestsOf(actor, { text, names: undefined, tests: undefined }, deps));
  };
}

function verdictOf({ results, coverage }: JsonObject): TestsVerdict {
  const all = objectsIn(results);
  const { covered, all: parts } = isJsonObject(coverage) ? coverage : {};
  return {
    passed: all.filter(({ ok }) => ok === true).length,
    failed: all
      .filter(({ ok }) => ok !== true)
      .map(({ name, differences, problems }) => ({
        name: typeof name === 'string' ? name : '',
        because: [...listIn(problems), ...objectsIn(differences).map(({ text }) => text)]
          .slice(0, MOST_TOLD)
          .map(String),
      })),
    covered: Number(covered),
    all: Number(parts),
  };
}

const listIn = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const objectsIn = (value: JsonValue | undefined): JsonObject[] => listIn(value).filter(isJsonObject);
