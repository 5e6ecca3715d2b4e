import { compileOptionPattern, startSearches } from '../../src/agents/pattern.js';
import { ruleHolds } from '../../src/agents/trigger/rules.js';
import { createClosureFormulas } from '../../src/data/cases/closure/closure-formulas.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderOptions } from '../../src/language/option-renderer.js';
import { compilePattern } from '../../src/language/patterns.js';
import { TimeLimit } from '../../src/platform/runtime/time-limit.js';
import { templateScope } from '../support/template-scope.js';

const STOPPED_MS = 60_000;

const look = performance.now.bind(performance);
let isStopped = false;
let stoppedMs = 0;

beforeAll(() => {
  // It never goes back: limits remember when they looked last.
  jest.spyOn(performance, 'now').mockImplementation(() => {
    if (isStopped) stoppedMs += STOPPED_MS;
    return look() + stoppedMs;
  });
});
afterEach(() => {
  isStopped = false;
});
afterAll(() => jest.restoreAllMocks());

/** From now on the process is stopped for a minute before each look at the clock, as SIGSTOP or a paused machine does. */
function stopAtEachLook(): void {
  isStopped = true;
}

function sleepWithoutWork(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function workFor(ms: number): void {
  for (const before = workedMs(); workedMs() - before < ms; );
}

function judgeConditions(): boolean[] {
  const holds = createClosureFormulas().judge({ a: 1 });
  return [holds('a = 1'), holds('a = 2'), holds('1 + 1 = 2')];
}

describe('a limit of time', () => {
  it('is over when so much time has passed in work', () => {
    const limit = new TimeLimit(40);
    expect(limit.isOver()).toBe(false);
    // In this thread alone it may take longer: the others' work counts too.
    workFor(200);
    expect(limit.isOver()).toBe(true);
    expect(limit.leftMs()).toBeLessThanOrEqual(0);
  });

  it('is not over when the process did not work', () => {
    const limit = new TimeLimit(1_000);
    sleepWithoutWork(1_100);
    expect(limit.isOver()).toBe(false);
    expect(limit.leftMs()).toBeGreaterThan(0);
  });

  it('counts nothing that was worked before it began', () => {
    workFor(400);
    const limit = new TimeLimit(300);
    sleepWithoutWork(310);
    expect(limit.isOver()).toBe(false);
  });
});

describe('a process that is stopped in the middle has not taken too long', () => {
  const scope = templateScope({ hook: { list: Array.from({ length: 200 }, (_, index) => index) } });
  const text = 'x'.repeat(1_000);

  it('for options of Liquid', () => {
    const language = createLiquidLanguage();
    stopAtEachLook();
    const options = {
      a: '{% for n in hook.list %}{{ n | plus: 1 }} {% endfor %}',
      b: '{{ hook.list | size }}',
    };
    const rendered = renderOptions(options, { language, scope });
    expect(rendered.a).toMatch(/^1 2 .* 200 $/);
    expect(rendered.b).toBe('200');
  });

  it('for options of formulas', () => {
    const language = createFormulaLanguage();
    stopAtEachLook();
    const options = {
      a: '<<SUM(MAP_LAMBDA(hook.list, LAMBDA(n, n + 1)))>>',
      b: '<<REGEX_EXTRACT("abc", "b")>>',
    };
    expect(renderOptions(options, { language, scope })).toEqual({ a: '20100', b: '["b"]' });
  });

  it('for searches and rules of an agent', () => {
    const time = startSearches();
    stopAtEachLook();
    const pattern = compileOptionPattern('x', { name: 'regexp', ignoreCase: false });
    expect(pattern.scan(text, time).matches).toHaveLength(1_000);
    const context = { place: 'rules[0]', warn: () => undefined, time };
    expect(ruleHolds({ type: 'regex', path: text, value: 'x$' }, context)).toBe(true);
  });

  it('for patterns of templates and closure conditions', () => {
    // The first time, compiling the code is work of the process, too.
    judgeConditions();
    stopAtEachLook();
    expect(compilePattern('x$').test(text)).toBe(true);
    expect(judgeConditions()).toEqual([true, false, true]);
  });
});
