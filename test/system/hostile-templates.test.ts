import { inspect } from 'node:util';
import { CACHED_TEMPLATE_BYTES } from '../../src/language/limits.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { TemplateError } from '../../src/platform/text/template-error.js';
import { type CaseResult, type FamilyResult, runFamily } from '../support/hostile/hostile-runner.js';
import { type Expected, type HostileFamily, scopeOf } from '../support/hostile/hostile-case.js';
import { FAMILIES } from '../support/hostile-templates.js';
import { sideBySide } from '../support/side-by-side.js';

/**
 * Processor time that a case may take beyond the documented limit: the clock is looked at between the steps of a render, and one
 * step on the longest text there is (16 Mi characters) takes a second or two on a slow machine.
 */
const SLACK_MS = 4_000;
/** Families that run side by side, each in a process of its own. */
const AT_ONCE = 2;
/** Messages end up in logs and on a page. */
const MAX_MESSAGE_CHARACTERS = 2_000;

const boundOf = ({ limitMs }: HostileFamily) => limitMs + SLACK_MS;
const resultsOf = new Map<string, FamilyResult>();

beforeAll(async () => {
  await sideBySide(FAMILIES, AT_ONCE, async (family) => {
    resultsOf.set(family.name, await runFamily(family, boundOf(family)));
  });
}, 900_000);

describe.each(FAMILIES)('$name', (family) => {
  const { cases } = family;
  const boundMs = boundOf(family);
  const results = () => resultsOf.get(family.name) as FamilyResult;
  const resultOf = (name: string) => results().cases.get(name) as CaseResult;

  it.each(cases.map(({ name, expected }): [string, Expected] => [name, expected]))('%s', (name, expected) => {
    const { error, result, ms } = resultOf(name);
    const isFast = 'fastEnough' in expected && error === undefined;
    if (isFast) expect(JSON.parse(result ?? 'null')).toEqual(expected.fastEnough);
    else if ('stops' in expected) {
      expect({ result, ...error }).toEqual({
        name: expected.error ?? 'TemplateError',
        message: expect.stringMatching(expected.stops),
      });
      expect(error?.message.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS);
    } else {
      expect(error).toBeUndefined();
      const value: unknown = JSON.parse(result ?? 'null');
      if ('gives' in expected) expect(value).toEqual(expected.gives);
      else expect(value).toMatch(expected.says);
    }
    expect(ms).toBeLessThan(boundMs);
  });

  it('never keeps the process from other work for longer', () => {
    const longest = Math.max(...cases.map(({ name }) => resultOf(name).blockedMs));
    expect(longest).toBeLessThan(boundMs);
  });

  it('leaves no more behind than the parsed texts that are kept, and changes nothing of the process', () => {
    expect(results().grownBytes).toBeLessThan(CACHED_TEMPLATE_BYTES);
    expect(results().polluted).toBe(false);
  });
});

describe('an error', () => {
  it('holds nothing of the template but its place', () => {
    let failure: unknown;
    try {
      createLiquidLanguage().render('{{ "in-the-template" | divided_by: 0 }}', scopeOf({}));
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(TemplateError);
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('in-the-template');
  });
});
