import { anything, assert as assertProperty, jsonValue, property } from 'fast-check';
import {
  asKind,
  freeKey,
  kindOfValue,
  readSchema,
  renamedKey,
} from '../../../../src/console/inspector/form/value-kinds.js';
import {
  readSample,
  sampleQuery,
  writeSample,
} from '../../../../src/console/pages/editor/sample/sample-source.js';
import { templatesIn } from '../../../../src/console/pages/editor/sample/templates-in.js';
import { kindWords, notesOf } from '../../../../src/console/pages/editor/sample/field-notes.js';

describe('the kind of a field', () => {
  it('is what the schema allows; a template is always allowed', () => {
    expect(readSchema({ type: 'integer', minimum: 1, maximum: 9 })).toMatchObject({
      kinds: ['number', 'text'],
      minimum: 1,
      maximum: 9,
      isWhole: true,
    });
    expect(
      readSchema({ anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }] }),
    ).toMatchObject({
      kinds: ['truth', 'text', 'list'],
      items: { type: 'string' },
    });
    expect(readSchema({}).kinds).toHaveLength(6);
    expect(readSchema({ type: 'string', enum: ['flat', 'nested'] }).choices).toEqual(['flat', 'nested']);
  });

  it('is the wanted one after any change of it, and a value of that kind stays as it is', () => {
    const kinds = ['text', 'number', 'truth', 'list', 'object', 'nothing'] as const;
    assertProperty(
      property(jsonValue(), (value) => {
        for (const kind of kinds) expect(kindOfValue(asKind(value, kind))).toBe(kind);
        expect(asKind(value, kindOfValue(value))).toBe(value);
      }),
    );
  });

  it('is an empty text for an empty list or object', () => {
    expect([asKind({}, 'text'), asKind([], 'text'), asKind([1], 'text')]).toEqual(['', '', '[1]']);
  });

  it('keeps the place of a key that is renamed, and takes no name twice', () => {
    expect(Object.keys(renamedKey({ a: 1, b: 2, c: 3 }, 1, 'x') ?? {})).toEqual(['a', 'x', 'c']);
    expect(renamedKey({ a: 1, b: 2 }, 1, 'a')).toBeUndefined();
    expect(freeKey({ key: 1, key_2: 2 })).toBe('key_3');
  });
});

describe('a sample', () => {
  it.each(['run:0193', 'event:7', 'saved:My call: one'])('%s is read as it is written', (text) => {
    const source = readSample(text);
    expect(source && writeSample(source)).toBe(text);
  });

  it.each([undefined, '', 'run', 'event:x', 'other:1'])('%s is none', (text) => {
    expect(readSample(text)).toBeUndefined();
  });

  it('asks for the input of the action in a run, and for nothing before the server knows the action', () => {
    expect(sampleQuery({ kind: 'run', guid: 'r' }, 'a')).toEqual({ run_guid: 'r', action: 'a' });
    expect(sampleQuery({ kind: 'run', guid: 'r' }, undefined)).toEqual({});
    expect(sampleQuery({ kind: 'event', id: 7 }, 'a')).toEqual({ event_id: 7 });
  });
});

describe('templates in options', () => {
  it('are found with their paths, at any depth', () => {
    const options = { url: 'http://x/<<a>>', plain: 'x', list: ['=b', { c: '<<d>>' }], n: 1 };
    expect(templatesIn(options, 'formula')).toEqual([
      { path: ['url'], template: 'http://x/<<a>>' },
      { path: ['list', 0], template: '=b' },
      { path: ['list', 1, 'c'], template: '<<d>>' },
    ]);
  });

  it('are as many as one request takes', () => {
    expect(
      templatesIn(
        Array.from({ length: 300 }, () => '<<a>>'),
        'formula',
      ),
    ).toHaveLength(100);
    expect(templatesIn(['<<a>>', `<<${'a'.repeat(300 * 1024)}>>`, '<<b>>'], 'formula')).toHaveLength(1);
  });

  it('are looked for in whatever stands there', () => {
    assertProperty(
      property(anything({ withDate: false, withMap: false, withSet: false }), (value) => {
        templatesIn(value, 'liquid');
      }),
    );
  });
});

describe('the notes of a field', () => {
  const empty = { value: null, type: null, size: null, truncated: false, error: null, missing: [] };
  const previews = (value: object) =>
    ({
      language: 'formula',
      sample: {},
      event: null,
      values: [{ ...empty, key: '["a"]', ...value }],
    }) as never;
  const noteOf = (template: string, value: object) =>
    notesOf([{ path: ['a'], template }], previews(value)).get('["a"]');

  it('have the value with its kind and size', () => {
    expect(kindWords({ type: 'text', size: 1 })).toBe('text, 1 character');
    expect(kindWords({ type: 'list', size: 3 })).toBe('list, 3 items');
    expect(kindWords({ type: 'number', size: null })).toBe('number');
    expect(noteOf('<<x>>', { value: 'Ada', type: 'text', size: 3 })?.rendered).toEqual({
      text: 'Ada',
      kind: 'text, 3 characters',
      isCut: false,
      missing: [],
    });
  });

  it('mark an error at its place, and the whole template without one', () => {
    const error = { message: 'wrong', line: 2, column: 3, excerpt: null };
    expect(noteOf('ab\n<<IF(>>', { error })?.faults).toEqual([
      { from: 5, to: 6, message: 'wrong', isError: true },
    ]);
    expect(noteOf('<<IF(>>', { error: { ...error, line: null } })?.faults[0]).toMatchObject({
      from: 0,
      to: 7,
    });
  });

  it('name a path that the sample lacks, unless the template provides for it', () => {
    const missing = [
      { path: 'a.b', line: 1, column: 3, guarded: false },
      { path: 'a.c', line: 1, column: 9, guarded: true },
    ];
    const note = noteOf('<<a.b>> <<DEFAULT(a.c)>>', { value: '', type: 'text', size: 0, missing });
    expect(note?.rendered?.missing).toEqual(['a.b']);
    expect(note?.faults).toEqual([{ from: 2, to: 5, message: 'The sample has no a.b.', isError: false }]);
  });

  it('show no value without a sample: each path would be empty', () => {
    const value = { ...empty, key: '["a"]', value: '', type: 'text', size: 0 };
    const told = { language: 'formula', sample: null, event: null, values: [value] } as never;
    expect(notesOf([{ path: ['a'], template: '<<x>>' }], told).get('["a"]')?.rendered).toBeUndefined();
  });
});
