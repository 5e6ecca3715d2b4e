import type Joi from 'joi';
import { AGENT_DOCS } from '../../src/agents/docs/all-agent-docs.js';
import type { OptionTable } from '../../src/agents/docs/agent-docs.js';
import { MODES } from '../../src/agents/event-transformation/modes.js';
import { AGENT_TYPES, checkOptions, runnable } from '../../src/agents/index.js';
import { readOptions } from '../../src/agents/options/options.js';
import type { JsonObject } from '../../src/platform/json.js';

interface Documented {
  name: string;
  type: string;
  schema: Joi.Schema;
  options: OptionTable;
  given: JsonObject;
}

const documented: Documented[] = [...AGENT_TYPES.values()].flatMap(({ type, options: schema }) => {
  const { options = {}, modes = {} } = AGENT_DOCS.get(type) ?? {};
  return [
    { name: type, type, schema, options, given: {} },
    ...Object.entries(modes).map(([mode, docs]) => ({
      name: mode,
      type,
      schema: MODES.get(mode)!.options as Joi.Schema,
      options: docs.options,
      given: { mode },
    })),
  ];
});

describe('the documentation of agent types', () => {
  it('covers every type and every mode that runs, and no other', () => {
    expect([...AGENT_DOCS.keys()].toSorted()).toEqual([...AGENT_TYPES.keys()].toSorted());
    const modes = Object.keys(AGENT_DOCS.get('Agents::EventTransformationAgent')?.modes ?? {});
    expect(modes.toSorted()).toEqual([...MODES.keys()].toSorted());
  });

  it.each(documented)('has every option of $name that its schema checks, and no other', (docs) => {
    const checked = Object.keys(docs.schema.describe().keys ?? {});
    expect(Object.keys(docs.options).toSorted()).toEqual(checked.toSorted());
  });

  it.each(documented)('has examples of $name that pass its checks', ({ type, schema, options, given }) => {
    const required = Object.fromEntries(
      Object.entries(options)
        .filter(
          ([name]) => schema.describe().keys?.[name]?.flags?.presence === 'required' || name === 'size_path',
        )
        .map(([name, { example }]) => [name, example]),
    );
    for (const [name, { example }] of Object.entries(options)) {
      const asked = { ...given, ...required, [name]: example };
      expect(() => readOptions(schema, asked)).not.toThrow();
      expect(checkOptions(type, asked)).toEqual([]);
      expect(
        runnable(type, {
          mode: 'message_only',
          ...asked,
          ...(type.includes('Record') && { mode: 'create' }),
        }),
      ).toBeUndefined();
    }
  });
});
