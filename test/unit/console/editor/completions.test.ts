import {
  completionsAt,
  type Knowledge,
} from '../../../../src/console/inspector/template-field/completions.js';
import { referenceBefore } from '../../../../src/console/inspector/template-field/reference-before.js';
import {
  codeSpans,
  unclosedDelimiter,
} from '../../../../src/console/inspector/template-field/template-syntax.js';
import { colouredTokens } from '../../../../src/console/inspector/template-field/template-tokens.js';

const SPLIT = { name: 'SPLIT', signature: 'SPLIT(text, by)', description: 'A list.', example: '' };
const UPCASE = { name: 'upcase', signature: 'upcase', description: 'In capitals.', example: '' };

function known(change: Partial<Knowledge> = {}): Knowledge {
  return {
    language: 'formula',
    sample: { receive: { body: { name: 'Ada', 'odd key': 1, list: [{ id: 7 }] } } },
    actions: [],
    functions: [SPLIT],
    filters: [UPCASE],
    resources: ['team_mail', 'odd name'],
    credentials: ['VirusTotal'],
    stories: ['Escalate'],
    ...change,
  };
}

/** What may be written at the `|` of a text. */
function at(marked: string, change: Partial<Knowledge> = {}) {
  const cursor = marked.indexOf('¦');
  const found = completionsAt(marked.replace('¦', ''), cursor, known(change));
  return found && { from: found.from, texts: found.completions.map(({ text }) => text) };
}

/** The paths to values further below that may be written at the end of a text. */
const paths = (text: string, change: Partial<Knowledge> = {}) =>
  completionsAt(text, text.length, known(change))?.completions.flatMap(({ kind, label, detail }) =>
    kind === 'path' ? [`${label} ${detail}`] : [],
  );

const kinds = (text: string) => colouredTokens(text, 'formula').map(({ kind }) => kind);

const code = (text: string, language: 'formula' | 'liquid' = 'formula') =>
  [...codeSpans(text, language)].map(({ from, to }) => text.slice(from, to));

describe('the code in a text', () => {
  it.each([
    ['Hi <<receive.name>> and <<b>>', ['receive.name', 'b']],
    ['<<"a>>b">> c', ['"a>>b"']],
    ['<% if a > 1 %>yes<% endif %>', [' if a > 1 ', ' endif ']],
    [' =UPCASE(a)', ['UPCASE(a)']],
    ['== Heading', []],
    ['an open << end', [' end']],
    ["<<it's>> plain <<b>>", ["it's", 'b']],
    ['{{ no.code }}', []],
  ])('%s', (text, wanted) => {
    expect(code(text)).toEqual(wanted);
  });

  it.each([
    ['Hi <<name', 3],
    ['<<a>> and <% if b', 10],
    ['<<', 0],
    ['Hi <<name>>', undefined],
    ['=UPCASE(a', undefined],
    ['plain', undefined],
  ])('%s has an end, or its opening is known', (text, from) => {
    expect(unclosedDelimiter(text, 'formula')?.from).toBe(from);
    expect(unclosedDelimiter(text, 'liquid')).toBeUndefined();
  });

  it('of Liquid is between its own delimiters', () => {
    expect(code('{{ a | upcase }}{% if b %}<<no>>', 'liquid')).toEqual([' a | upcase ', ' if b ']);
  });
});

describe('the reference before the cursor', () => {
  it.each([
    ['receive.body.na', ['receive', 'body'], 'na', 13],
    ['receive.', ['receive'], '', 8],
    ['IF(receive.body', ['receive'], 'body', 11],
    ['a["odd key"].b', ['a', 'odd key'], 'b', 13],
    ['a[0].', ['a', 0], '', 5],
    ['a.list[-1].x', ['a', 'list', -1], 'x', 11],
    ['', [], '', 0],
    ['1 + ', [], '', 4],
    ['.receive', [], 'receive', 1],
  ])('%s', (text, steps, partial, from) => {
    expect(referenceBefore(text)).toMatchObject({ steps, partial, from });
  });

  it('knows an open bracket', () => {
    expect(referenceBefore('a["od')).toEqual({ steps: ['a'], partial: 'od', from: 1, inBracket: true });
  });
});

describe('what can be written', () => {
  it('in plain text is nothing', () => {
    expect(at('Hi ¦<<a>>')).toBeUndefined();
  });

  it('at the beginning of code are upstream actions, roots and functions', () => {
    const found = at('<<¦>>');
    expect(found?.from).toBe(2);
    expect(found?.texts).toEqual(expect.arrayContaining(['receive', 'RESOURCE', 'SPLIT']));
  });

  it('without a sample are the actions before it; those that the sample has stand there once', () => {
    expect(at('<<¦>>', { sample: undefined, actions: ['receive', 'ask'] })?.texts).toEqual(
      expect.arrayContaining(['receive', 'ask', 'SPLIT']),
    );
    const texts = at('<<¦>>', { actions: ['receive', 'ask'] })?.texts ?? [];
    expect([texts.filter((text) => text === 'receive'), texts.includes('ask')]).toEqual([['receive'], true]);
  });

  it('after a dot are the keys of the sample, in quotes where the language wants them', () => {
    expect(at('<<receive.body.¦>>')).toEqual({
      from: 15,
      texts: ['name', '"odd key"', 'list', 'list[0]', 'list[0].id'],
    });
    expect(at('<<receive.body[¦')).toEqual({ from: 14, texts: ['["name"]', '["odd key"]', '["list"]'] });
    expect(at('<<receive.body.list.¦>>')?.texts).toEqual(['0']);
    expect(at('<<receive.body.list[0].i¦>>')).toEqual({ from: 23, texts: ['id'] });
  });

  it('with their values', () => {
    const found = completionsAt('<<receive.body.', 15, known());
    expect(found?.completions.slice(0, 3).map(({ detail }) => detail)).toEqual(['"Ada"', '1', '1 item']);
  });

  it('are also the paths to what stands further below, as each language writes them', () => {
    const nested = [
      'receive.body 3 keys',
      'receive.body.name "Ada"',
      'receive.body["odd key"] 1',
      'receive.body.list 1 item',
      'receive.body.list[0] 1 key',
      'receive.body.list[0].id 7',
    ];
    expect(paths('<<')).toEqual(nested);
    expect(paths('{{ ', { language: 'liquid' })).toEqual(nested);
    expect(paths('<<receive.bo')?.[0]).toBe('body.name "Ada"');
    expect(paths('<<receive[')).toEqual([]);
  });

  it('are a bounded number of paths, also in a wide and in a deep sample', () => {
    const wide = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`a${at}`, { b: 1, c: 2 }]));
    let deep: unknown = 1;
    for (let depth = 0; depth < 50; depth += 1) deep = { d: deep, wide };
    const found = completionsAt('<<', 2, known({ sample: { deep } }))?.completions ?? [];
    expect(found.filter(({ kind }) => kind === 'path')).toHaveLength(1_000);
  });

  it('below RESOURCE, CREDENTIAL and STORY are their names', () => {
    expect(at('<<RESOURCE.¦>>')?.texts).toEqual(['team_mail', '"odd name"']);
    expect(at('<<CREDENTIAL.Vi¦>>')).toEqual({ from: 13, texts: ['VirusTotal'] });
    expect(at('<<STORY[¦')?.texts).toEqual(['["Escalate"]']);
  });

  it('inside of a text of the code is nothing, and below a missing key neither', () => {
    expect(at('<<SPLIT("a¦')).toBeUndefined();
    expect(at('<<receive.nobody.¦>>')?.texts).toEqual([]);
    expect(at('<<receive.body.name.¦>>')?.texts).toEqual([]);
  });

  it('of a prototype is nothing', () => {
    expect(at('<<receive.constructor.¦>>')?.texts).toEqual([]);
    expect(at('<<constructor.¦>>')?.texts).toEqual([]);
  });

  it('in Liquid are filters after a bar, and names after tags', () => {
    const liquid = { language: 'liquid' } as const;
    expect(at('{{ receive | up¦ }}', liquid)).toEqual({ from: 13, texts: ['upcase'] });
    expect(at('{% credential Vi¦ %}', liquid)).toEqual({ from: 14, texts: ['VirusTotal'] });
    expect(at('{{ receive.body.¦ }}', liquid)?.texts[0]).toBe('name');
    expect(at('{{ ¦ }}', liquid)?.texts).not.toContain('SPLIT');
    expect(at('{% ¦ %}', liquid)?.texts).toContain('for');
  });
});

describe('colours', () => {
  it('cover the code without a gap, and nothing of the plain text', () => {
    const text = 'Hi <<IF(a.b > 1.5, "x", TRUE)>>!';
    const tokens = colouredTokens(text, 'formula');
    expect(tokens.map(({ from, to }) => text.slice(from, to)).join('')).toBe('<<IF(a.b > 1.5, "x", TRUE)>>');
    const of = (kind: string) =>
      tokens.filter((each) => each.kind === kind).map(({ from, to }) => text.slice(from, to));
    expect(of('call')).toEqual(['IF']);
    expect(of('text')).toEqual(['"x"']);
    expect(of('number')).toEqual(['1.5']);
    expect(of('word')).toEqual(['TRUE']);
  });

  it('are one stretch for pieces of one kind, since each stretch is an element of the page', () => {
    expect(kinds('<<a.b["c"].d>>')).toEqual(['delimiter', 'code', 'text', 'code', 'delimiter']);
    expect(kinds(`<<${'"'.repeat(1_000)}`)).toEqual(['delimiter', 'text']);
  });

  it('of a long hostile text are found without backtracking', () => {
    const text = `<<${'"\\'.repeat(20_000)}`;
    expect(colouredTokens(text, 'formula').at(-1)?.to).toBe(text.length);
  });

  it('are for so much of a text only, so that a page of code does not slow down each key', () => {
    expect(colouredTokens('<<a>>'.repeat(100_000), 'formula').length).toBeLessThan(2_010);
  });
});

// Without these bounds each of them takes minutes, or for ever.
describe('a text that a stranger wrote takes as long as any other of its length', () => {
  it('with a long name before the cursor', () => {
    expect(at(`=SPLIT(${'a'.repeat(60)} ¦`)?.texts).toContain('SPLIT');
    expect(referenceBefore(`${'ab.'.repeat(100_000)}c`).steps).toHaveLength(100_000);
    expect(referenceBefore('['.repeat(400_000))).toMatchObject({ inBracket: true });
    expect(referenceBefore(`${'["'.repeat(400_000)} `)).toMatchObject({ steps: [] });
  });

  it('with many quotes', () => {
    expect(at(`<<${'"'.repeat(400_000)}¦`)).toBeDefined();
  });

  it('with many tags of one kind, and with quotes that never end', () => {
    expect(code('<%x%>'.repeat(400_000))).toHaveLength(400_000);
    expect(code(`<<'\\'>>`.repeat(40_000)).length).toBeGreaterThan(30_000);
  });
});
