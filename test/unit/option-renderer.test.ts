import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { renderOptions } from '../../src/language/option-renderer.js';
import { createSecretScrubber, scrubSecrets } from '../../src/language/secret-scrubber.js';
import { mentions } from '../../src/language/mentions/template-mentions.js';
import { TemplateError } from '../../src/platform/text/template-error.js';
import { templateScope } from '../support/template-scope.js';

const language = createLiquidLanguage();
const scope = templateScope(
  { hook: { list: [1, 2], name: 'Ann', json: '{"a":1}' } },
  { credentials: new Map([['key', 'value-of-key']]) },
);

describe('renderOptions', () => {
  it('renders every text at any depth and keeps everything else', () => {
    const options: JsonObject = {
      a: 'Hi {{ .hook.name }}',
      b: [{ c: '{{ .hook.list }}' }, 5, null, true],
      '{{ key }}': 'plain',
    };
    expect(renderOptions(options, { language, scope })).toEqual({
      a: 'Hi Ann',
      b: [{ c: '[1,2]' }, 5, null, true],
      '{{ key }}': 'plain',
    });
  });

  it('gives values where the agent asks for them, at exactly those paths', () => {
    const options: JsonObject = {
      path: '{{ .hook.list }}',
      rules: [{ path: '{{ .hook.list }}', value: '{{ .hook.list }}' }],
      json: '{{ .hook.json }}',
    };
    expect(
      renderOptions(options, { language, scope, valueOptions: ['path', 'rules.*.path', 'json'] }),
    ).toEqual({
      path: [1, 2],
      rules: [{ path: [1, 2], value: '[1,2]' }],
      json: { a: 1 },
    });
  });

  it('leaves raw options alone, with all below them', () => {
    const options: JsonObject = {
      response: { a: '{{ .x }}' },
      list: ['{{ .x }}', { b: '{{ .x }}' }],
      other: '{{ .x }}',
    };
    expect(renderOptions(options, { language, scope, rawOptions: ['response', 'list.*'] })).toEqual({
      response: { a: '{{ .x }}' },
      list: ['{{ .x }}', { b: '{{ .x }}' }],
      other: '',
    });
  });

  it('shares variables between options in their order', () => {
    const options: JsonObject = {
      all: '{% capture all %}true{% endcapture %}{{ all }}',
      any: '{% if all contains "true" %}bad{% endif %}',
    };
    expect(renderOptions(options, { language, scope })).toEqual({ all: 'true', any: 'bad' });
    expect(renderOptions({ any: options.any ?? '' }, { language, scope })).toEqual({ any: '' });
  });

  it('does not change its input', () => {
    const options: JsonObject = { a: ['{{ .hook.name }}'] };
    renderOptions(options, { language, scope });
    expect(options).toEqual({ a: ['{{ .hook.name }}'] });
  });

  it('names the option that fails', () => {
    const options: JsonObject = {
      payload: { fields: [{ text: 'ok' }, { text: 'x\n{% credential nope %}' }] },
    };
    const render = () => renderOptions(options, { language, scope });
    expect(render).toThrow('payload.fields[1].text: This team has no credential "nope" (line 2, column 1)');
    expect(render).toThrow(TemplateError);
  });

  it('keeps a key named __proto__ as a key', () => {
    const options = JSON.parse('{"__proto__": {"x": "{{ .hook.name }}"}}') as JsonObject;
    expect(JSON.stringify(renderOptions(options, { language, scope }))).toBe('{"__proto__":{"x":"Ann"}}');
  });

  it('refuses options that are nested too deeply or grow too large', () => {
    let deep: JsonValue = '{{ .hook.name }}';
    for (let level = 0; level < 200; level += 1) deep = [deep];
    expect(() => renderOptions({ deep }, { language, scope })).toThrow('nested deeper than 100');

    const large = { ...scope, event: { text: 'x'.repeat(6_000_000) } };
    const list = ['{{ .text }}', '{{ .text }}', '{{ .text }}'];
    expect(() => renderOptions({ list }, { language, scope: large })).toThrow(
      /^list\[2\]: .*all rendered options/,
    );
  });
});

const of = (...texts: string[]) => mentions({ texts }, language);

describe('mentions', () => {
  it('names what the templates name', () => {
    const found = of('{{ .a_b.c | default: other.x }}', '{% if third.y == "x" %}{% endif %}', 'plain fourth');
    expect(found).toMatchObject({ resources: false, credentials: false, stories: false });
    for (const slug of ['a_b', 'other', 'third']) expect(found.slugs).toContain(slug);
    expect(found.slugs).not.toContain('fourth');
  });

  it.each<[string, 'resources' | 'credentials' | 'stories']>([
    ['{{ .RESOURCE.x }}', 'resources'],
    ['{% global_resource x %}', 'resources'],
    ['{{CREDENTIAL.x}}', 'credentials'],
    ['{%credential x%}', 'credentials'],
    ['{{ .STORY.x }}', 'stories'],
    ['{% story x %}', 'stories'],
    ['{% if a == {{ .RESOURCE.x }} %}{% endif %}', 'resources'],
  ])('%s needs %s', (text, kind) => {
    expect(of(text)[kind]).toBe(true);
  });

  it.each([
    '{{ [name].x }}',
    '{{ .[name] }}',
    '{% if [a.b] %}{% endif %}',
    '{{ . | as_object }}',
    '{{.}}',
    '{{ x | default: [y] }}',
  ])('%s may name anything', (text) => {
    expect(of(text)).toEqual({ slugs: 'all', resources: true, credentials: true, stories: true });
  });

  it.each([
    '{{ a[b] }} [x]',
    '{"list": [ {{ a.b["c"] }} ] }',
    "{{ ['a b'].c }}",
    '{{ a.[b] }}',
    'text . {{ a }} .',
  ])('%s names only what is written', (text) => {
    expect(of(text).slugs).not.toBe('all');
  });

  it('looks at keys and nested options, and keeps the answer for an options object', () => {
    const options: JsonObject = { a: { b: ['{{ deep.x }}'] }, '{{ in_key }}': 1 };
    const found = mentions(options, language);
    expect(found.slugs).toContain('deep');
    expect(found.slugs).toContain('in_key');
    expect(mentions(options, language)).toBe(found);
  });

  it('are exactly the references of formulas', () => {
    const options = {
      a: '=MAP(first.x, LAMBDA(inner, inner.y & other)) & RESOURCE.z',
      b: '<% for row in rows.list %><<row.a>> <<FORLOOP.index>><% endfor %> not_one',
    };
    expect(mentions(options, createFormulaLanguage())).toEqual({
      slugs: new Set(['first', 'other', 'rows']),
      resources: true,
      credentials: false,
      stories: false,
    });
  });
});

describe('the option local', () => {
  const formulas = createFormulaLanguage();
  const options: JsonObject = {
    payload: '=LOCAL.final',
    local: {
      all: { name: '<<user.name>>', none: '=user.none', flag: '=FALSE' },
      final: '=REJECT(LOCAL.all, LAMBDA(item, item = NULL))',
    },
  };
  const withUser = { ...scope, event: { user: { name: 'Ann' } } };

  it('is rendered first, from top to bottom, and seen by the formulas of the others', () => {
    const rendered = renderOptions(options, { language: formulas, scope: withUser });
    const final = { name: 'Ann', flag: false };
    expect(rendered).toEqual({ payload: final, local: { all: { ...final, none: null }, final } });
    expect(Object.keys(rendered)).toEqual(['payload', 'local']);
  });

  it('is an option as any other in Liquid', () => {
    expect(
      renderOptions({ local: { a: '{{ user.name }}' }, b: '{{ LOCAL.a }}' }, { language, scope: withUser }),
    ).toEqual({
      local: { a: 'Ann' },
      b: '',
    });
  });
});

describe('secret scrubber', () => {
  const secret = 'p@ss "w/rd" ü?+';
  const scrub = createSecretScrubber(
    new Map([
      ['my key', secret],
      ['short', 'abc'],
      ['part', 'p@ss "w'],
    ]),
  );

  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded as a form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['URL-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
  ])('hides a credential %s', (_, form) => {
    expect(scrub(`before ${form} after`)).toMatch(/^before \[credential my key\]=* after$/);
  });

  it.each(['', 'u', 'us', 'user'])('hides it in HTTP Basic behind the user %j', (user) => {
    const header = Buffer.from(`${user}:${secret}`).toString('base64');
    expect(scrub(header)).toContain('[credential my key]');
    expect(scrub(header)).not.toContain(header.slice(-8));
  });

  it('leaves other text, and values too short to be told apart, alone', () => {
    expect(scrubSecrets('abc is fine', new Map([['short', 'abc']]))).toBe('abc is fine');
    expect(scrubSecrets('$& a', new Map([['$&', 'long-secret']]))).toBe('$& a');
    expect(scrubSecrets('x long-secret', new Map([['$&', 'long-secret']]))).toBe('x [credential $&]');
  });
});
