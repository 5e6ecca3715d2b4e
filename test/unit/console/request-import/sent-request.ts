import { httpRequestAgent } from '../../../../src/agents/http-request/http-request-agent.js';
import { buildRequest, type RequestOptions } from '../../../../src/agents/http-request/request.js';
import { readOptions } from '../../../../src/agents/options/options.js';
import { createFormulaLanguage, createLiquidLanguage, renderOptions } from '../../../../src/language/face.js';
import type { JsonObject } from '../../../../src/platform/json.js';

const LANGUAGES = { formula: createFormulaLanguage(), liquid: createLiquidLanguage() };

/** Returns options as an action has them when it runs. Each credential is `[its name]`. */
export function rendered(options: object, language: 'formula' | 'liquid' = 'formula'): JsonObject {
  const names = [...JSON.stringify(options).matchAll(/CREDENTIAL\.(\w+)/g)].map(([, name = '']) => name);
  return renderOptions(options as JsonObject, {
    language: LANGUAGES[language],
    scope: {
      event: {},
      resources: new Map(),
      credentials: new Map(names.map((name) => [name, `[${name}]`])),
      stories: new Map(),
      meta: {},
      storyRunGuid: '',
    },
    valueOptions: httpRequestAgent.valueOptions ?? [],
  });
}

/** Returns what an action with these options sends. */
export function sentRequest(options: object, language: 'formula' | 'liquid' = 'formula') {
  const read = readOptions<RequestOptions>(httpRequestAgent.options, rendered(options, language));
  const { url, method, headers, body } = buildRequest(read, {
    story: { tenantId: 1 },
    idempotencyKey: 'key',
    signal: () => new AbortController().signal,
    log: () => undefined,
    body: undefined,
  });
  return { url, method, headers, body: body?.toString() };
}
