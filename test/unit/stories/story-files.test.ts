import {
  array,
  assert,
  constantFrom,
  double,
  integer,
  letrec,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { ExactNumber, stringifyJson } from '../../../src/platform/json/exact-number.js';
import { orderedObject } from '../../../src/platform/json/ordered-object.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { folded } from '../../../src/stories/files/file-names.js';
import { filesOfStory, type StoryFile, StoryFilesError, storyOfFiles } from '../../../src/stories/face.js';
import { realExports, smallExport, tellMissingExports } from '../../support/stories.js';

const GALLERY = path.resolve(__dirname, '../../../assets/gallery');
const FORMS = (['file', 'folder'] as const).flatMap((layout) =>
  (['json', 'yaml'] as const).map((format) => ({ layout, format })),
);

/** The stories of the gallery and the real exports that are there, as `[name, text]`. */
function exportTexts(): [string, string][] {
  const gallery = readdirSync(GALLERY, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }): [string, string] => [
      name,
      readFileSync(path.join(GALLERY, name, 'story.json'), 'utf8'),
    ]);
  return [...gallery, ...realExports()];
}

/** What remains after a story was written and read: its JSON text, in which digits and the order of keys count. */
function roundTrip(story: JsonObject, form: (typeof FORMS)[number]): string {
  return stringifyJson(storyOfFiles(filesOfStory(story, form)));
}

function withOption(value: JsonValue): JsonObject {
  const story = smallExport();
  return { ...story, agents: [{ type: 'Agents::TriggerAgent', name: 'A', options: { value } }], links: [] };
}

function pathsOf(...names: string[]): string[] {
  const agents = names.map((name) => ({ type: 'Agents::TriggerAgent', name, options: {} }));
  const files = filesOfStory({ ...smallExport(), agents, links: [] }, { layout: 'folder', format: 'yaml' });
  return files.slice(1).map((file) => file.path.replace(/^[^/]*\/actions\//, ''));
}

/** A folder of two actions, in JSON, with some of its texts replaced. */
function folderWith(change: (files: StoryFile[]) => StoryFile[]): StoryFile[] {
  const agents = ['One', 'Two'].map((name) => ({ type: 'Agents::TriggerAgent', name, options: {} }));
  const story = { ...smallExport(), name: 'Pair', agents, links: [{ source: 0, receiver: 1 }] };
  return change(filesOfStory(story, { layout: 'folder', format: 'json' }));
}

function problemsOf(files: StoryFile[]): { path: string; line?: number | undefined; message: string }[] {
  try {
    storyOfFiles(files);
  } catch (error) {
    if (error instanceof StoryFilesError) return error.problems;
    throw error;
  }
  return [];
}

describe('stories as software: a story as files', () => {
  tellMissingExports();
  it.each(exportTexts())('keeps each value, digit and order of %s', (_, text) => {
    const story = parseJson(text) as JsonObject;

    for (const form of FORMS) expect(roundTrip(story, form)).toBe(stringifyJson(story));
  });

  it('keeps any text and key', () => {
    const texts = oneof(
      string({ unit: 'binary' }),
      string({ unit: 'grapheme' }),
      array(
        constantFrom(
          ' ',
          '\n',
          '\t',
          '\r',
          '#',
          ':',
          '-',
          '"',
          "'",
          '|',
          '>',
          '\\',
          'a',
          '\ufeff',
          '\u2028',
          '\ud800',
          '{',
          '&',
        ),
        { maxLength: 30 },
      ).map((parts) => parts.join('')),
      constantFrom(
        'yes',
        'No',
        'on',
        'y',
        'null',
        '~',
        '1e3',
        '0x1f',
        '0o7',
        '017',
        '.inf',
        '1_000',
        '12:30',
        '2026-11-30',
        '=',
        '<<',
        '*a',
        '!b',
        '---',
        '...',
        '',
        '__proto__',
        '? a',
        '- a',
        'a: b',
        '%A',
      ),
    );
    const values = letrec<{ value: JsonValue }>((tie) => ({
      value: oneof(
        { depthSize: 'small' },
        texts,
        double({ noDefaultInfinity: true, noNaN: true }).filter((number) => !Object.is(number, -0)),
        integer(),
        constantFrom(null, true, false),
        array(tie('value'), { maxLength: 4 }),
        array(tuple(texts, tie('value')), { maxLength: 4 }).map((entries) => orderedObject(entries)),
      ),
    })).value;

    assert(
      property(values, constantFrom(...FORMS), (value, form) => {
        const story = withOption(value);
        expect(roundTrip(story, form)).toBe(stringifyJson(story));
      }),
      { numRuns: 500 },
    );
  });

  it.each(FORMS)(
    'keeps all digits of numbers and the order of keys that are numbers, as $layout in $format',
    (form) => {
      const story = parseJson(
        '{"name":"N","links":[],"agents":[{"name":"A","options":{"10":9007199254740993,"2":0.12345678901234567,"__proto__":1e400,"b":1e21}}]}',
      ) as JsonObject;

      const text = roundTrip(story, form);

      expect(text).toBe(stringifyJson(story));
      expect(text).toContain('"10":9007199254740993,"2":0.12345678901234567,"__proto__":1e400');
    },
  );

  it('gives the same texts for the same story', () => {
    for (const [, text] of exportTexts()) {
      const story = parseJson(text) as JsonObject;
      const again = parseJson(stringifyJson(story)) as JsonObject;
      for (const form of FORMS) expect(filesOfStory(again, form)).toEqual(filesOfStory(story, form));
    }
  });

  it('writes long texts as blocks and links by the names of files', () => {
    const story = withOption('select *\nfrom alerts\nwhere severity: high');
    const agents = story.agents as JsonObject[];
    const files = filesOfStory(
      {
        ...story,
        name: 'My story',
        agents: [...agents, ...agents],
        links: [{ source: 0, receiver: 1 }],
        diagram_layout: '{"a":[10,20]}',
      },
      { layout: 'folder', format: 'yaml' },
    );

    expect(files.map((file) => file.path)).toEqual([
      'my-story/story.yaml',
      'my-story/actions/a.yaml',
      expect.stringMatching(/^my-story\/actions\/a-[0-9a-f]{6}\.yaml$/),
    ]);
    expect(files[1]?.text).toContain(
      '  value: |-\n    select *\n    from alerts\n    where severity: high\n',
    );
    expect(files[0]?.text).toMatch(/links:\n- source: a\n {2}receiver: a-[0-9a-f]{6}\n/);
    expect(files[0]?.text).toContain('diagram_layout:\n  a: [10, 20]\n');
  });

  it('names files so that each file system keeps them apart', () => {
    expect(pathsOf('A/b', 'Müller', 'CON', '日本', '한국', '😀', '7', '..', '')).toEqual([
      'a-b.yaml',
      'muller.yaml',
      'unnamed-con.yaml',
      '日本.yaml',
      'unnamed.yaml',
      expect.stringMatching(/^unnamed-[0-9a-f]{6}\.yaml$/),
      'unnamed-7.yaml',
      expect.stringMatching(/^unnamed-[0-9a-f]{6}\.yaml$/),
      expect.stringMatching(/^unnamed-[0-9a-f]{6}\.yaml$/),
    ]);
    assert(
      property(
        array(oneof(string({ unit: 'binary' }), constantFrom('Straße', 'STRASSE', 'a b', 'A-B', 'ﬁ', 'fi')), {
          maxLength: 8,
        }),
        (names) => {
          const paths = pathsOf(...names);
          expect(new Set(paths.map(folded)).size).toBe(names.length);
          for (const name of paths) {
            expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}-]*\.yaml$/u);
            expect(name.normalize('NFC')).toBe(name.normalize('NFD'));
            expect(Buffer.byteLength(name)).toBeLessThan(100);
          }
        },
      ),
    );
  });

  it('reads files with line ends of Windows and a byte order mark', () => {
    for (const form of FORMS) {
      const story = withOption('first\nsecond: #\n');
      const files = filesOfStory(story, form).map(({ path: name, text }) => ({
        path: name,
        text: `\ufeff${text.replaceAll('\n', '\r\n')}`,
      }));
      expect(storyOfFiles(files)).toEqual(story);
    }
  });

  it('writes a story as one file that no folder can hold', () => {
    const story = { ...smallExport(), agents: ['text'], links: [] };

    expect(filesOfStory(story, { layout: 'folder', format: 'json' })).toHaveLength(1);
    expect(() => filesOfStory({ ...story, fabula_files: 1 }, { layout: 'file', format: 'json' })).toThrow(
      StoryFilesError,
    );
  });

  it('reads numbers of YAML as it would be written by hand', () => {
    const text = 'a: 0x1f\nb: 1e3\nc: 0.12345678901234567\nd: yes\n443: port\ne: +12\n';

    const read = storyOfFiles([{ path: 'a.yaml', text }]);

    expect(read).toEqual({ a: 31, b: 1000, c: expect.any(ExactNumber), d: 'yes', 443: 'port', e: 12 });
    expect(stringifyJson(read.c)).toBe('0.12345678901234567');
  });

  it.each([
    { fault: 'a comma too much', text: '{"a": [1,\n 2,\n]}', line: 3, message: 'a value is missing' },
    {
      fault: 'a key twice',
      text: '{"a": 1,\n"b": 2,\n"a": 3}',
      line: 3,
      message: 'the key "a" is there twice',
    },
    { fault: 'no end', text: '{"a": {"b": 1}\n', line: 2, message: '"," or "}" is missing' },
    { fault: 'something more', text: '{}\n{}', line: 2, message: 'has something after its end' },
    {
      fault: 'a text without an end',
      text: '{"a": "b\n}',
      line: 1,
      message: 'a text has no end, or a character that JSON writes with "\\"',
    },
  ])('names file and line of $fault in JSON', ({ text, line, message }) => {
    expect(problemsOf([{ path: 'a.json', text }])).toEqual([{ path: 'a.json', line, message }]);
  });

  it.each([
    { fault: 'a key twice', text: 'a: 1\nb: 2\na: 3\n', line: 3, message: 'the key "a" is there twice' },
    {
      fault: 'a reference',
      text: 'a: &x 1\nb: *x\n',
      line: 2,
      message: 'references are not supported: write the value itself',
    },
    {
      fault: 'a number that begins with 0',
      text: 'a: "0123"\nb: 0123\n',
      line: 2,
      message: '0123 begins with 0: in quotes it is a text, without the 0 a number',
    },
    { fault: 'no number of JSON', text: 'a: .inf\n', line: 1, message: 'JSON has no number .inf' },
    {
      fault: 'a type of its own',
      text: 'a: 1\nb: !!binary aGk=\n',
      line: 2,
      message: 'this is not a value of JSON',
    },
  ])('names file and line of $fault in YAML', ({ text, line, message }) => {
    expect(problemsOf([{ path: 'a.yaml', text }])).toEqual([{ path: 'a.yaml', line, message }]);
  });

  it('names every fault of a folder at once', () => {
    const files = folderWith(([head, one]) => [
      { path: head?.path ?? '', text: head?.text.replace('"source": "one"', '"source": "other"') ?? '' },
      { path: one?.path ?? '', text: '{' },
      { path: 'pair/actions/three.yaml', text: 'a: 1' },
      { path: 'pair/README.md', text: 'a note' },
    ]);

    expect(problemsOf(files)).toEqual([
      { path: 'pair/actions/one.json', line: 1, message: 'a key in quotes is missing' },
      { path: 'pair/story.json', message: 'names "two", and there is no file actions/two.yaml or .json' },
      { path: 'pair/story.json', message: 'has a link with "other", which is no action' },
      { path: 'pair/actions/three.yaml', message: 'is not named in pair/story.json' },
    ]);
  });

  it.each([
    '../a.json',
    '/a.json',
    'a/../../b.json',
    'C:/a.json',
    'a\\b.json',
    'a//b.json',
    'a\0.json',
    './a.json',
  ])('refuses the path %j', (file) => {
    expect(problemsOf([{ path: file, text: '{}' }])).toEqual([
      { path: file, message: 'is not a path within a folder' },
    ]);
  });

  it('refuses what is too deep, too large and too much', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);

    expect(problemsOf([{ path: 'a.json', text: deep }])[0]?.message).toContain('nested deeper');
    expect(problemsOf([{ path: 'a.yaml', text: deep }])[0]?.message).toContain('nested deeper');
    expect(problemsOf([{ path: 'a.json', text: ' '.repeat(9_000_000) }])[0]?.message).toContain(
      'larger than',
    );
    const many = Array.from({ length: 5_001 }, (_, index) => ({ path: `${index}.json`, text: '' }));
    expect(problemsOf(many)).toEqual([{ path: '.', message: 'there are more than 5000 files' }]);
  });

  it('refuses two stories, the same file twice, and no story', () => {
    const story = filesOfStory(smallExport(), { layout: 'file', format: 'json' });

    expect(problemsOf([...story, { path: 'b.json', text: '{}' }])).toHaveLength(1);
    expect(problemsOf([...story, ...story])[0]?.message).toBe('is there twice');
    expect(problemsOf([{ path: 'a.yaml', text: '- a\n' }])[0]?.message).toBe('is no story: no object');
    expect(problemsOf([])).toHaveLength(1);
  });
});
