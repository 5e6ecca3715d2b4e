import type { JsonValue } from '../../../platform/json.js';
import type { RenderOptionsInput } from '../../../language/face.js';
import type { AgentInput } from '../call/agent-input.js';
import type { PromptKeys } from '../../prompts/prompt-links.js';
import type { ThreadScope } from './thread-work.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** The values that a thread's scope is made of. */
export interface ThreadScopeInput {
  render: RenderOptionsInput;
  input: AgentInput;
  prompts: PromptKeys & { mark: string };
  secrets: ThreadScope['secrets'];
}

/** Returns what a thread needs to render the options of one agent. */
export function threadScope({ render, input, prompts, secrets }: ThreadScopeInput): ThreadScope {
  const { language, scope, valueOptions = [], rawOptions = [], inputs } = render;
  return {
    language: language.name,
    event: input.texts(),
    resources: textOfMap(scope.resources),
    credentials: [...scope.credentials],
    stories: textOfMap(scope.stories),
    meta: scope.meta,
    storyRunGuid: scope.storyRunGuid,
    prompts,
    secrets,
    mostCharacters: render.mostCharacters,
    valueOptions,
    rawOptions,
    inputs: inputs && textOfOptions(inputs),
  };
}

/** Cached JSON: the same options and team values are used again and again. */
const texts = new WeakMap<object, string>();

/** Returns the map's entries as JSON. */
function textOfMap(map: ReadonlyMap<string, JsonValue>): string {
  return map.size === 0 ? '[]' : kept(map, () => stringifyJson([...map]));
}

/** Returns the options as JSON, cached by object: they must not change afterwards. */
export function textOfOptions(options: object): string {
  return kept(options, () => stringifyJson(options));
}

function kept(key: object, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = make();
  texts.set(key, text);
  return text;
}
