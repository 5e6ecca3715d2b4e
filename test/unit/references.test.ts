import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '../../src/app/routes.js';

const ROOT = path.resolve(__dirname, '../..');
const FOLDERS = [
  'src',
  'workers',
  'migrations',
  'bin',
  'test',
  'docs',
  'assets',
  'clients',
  'deploy',
  '.ci',
  '.github',
];
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'lefthook.yml',
];
const SPECIFICATION = 'docs/understand/specification.md';
/** It holds broken references, to show that they are found. */
const THIS_FILE = path.basename(__filename);

interface Source {
  /** From the root: `src/app/app.ts`. */
  file: string;
  text: string;
  /** The text with its lines joined: a reference may go on in the next line of a comment. */
  joined: string;
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const source = (file: string, text: string): Source => ({
  file,
  text,
  joined: text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g, ' '),
});

const sources: Source[] = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          /\.(?:[cm]?[jt]sx?|md|ya?ml|service|target)$/.test(name) && path.basename(name) !== THIS_FILE,
      )
      .map((name) => path.join(folder, name)),
  ),
  ...PAGES,
].map((file) => source(file, read(file)));
const isPage = ({ file }: Source) => file.endsWith('.md');

const headings = (file: string): string[] =>
  [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);

/** Targets of each kind of reference. */
const sections = new Set(headings(SPECIFICATION).map((heading) => heading.split(' ')[0]));
const decisions = new Set(readdirSync(path.join(ROOT, 'docs/decisions')).map((name) => name.slice(0, 4)));
const rows = [...read('docs/understand/promises.md').matchAll(/^\| (P?\d+) \|/gm)].map(([, id]) => id);
const promised = new Set(rows);

type IsBroken = (groups: string[]) => boolean;

/** Every place that `pattern` finds and `isBroken` rejects: `src/app/app.ts: spec §4.99`. */
function broken(pattern: RegExp, isBroken: IsBroken, texts: Source[] = sources): string[] {
  return texts.flatMap(({ file, joined }) =>
    [...joined.matchAll(pattern)]
      .filter(([, ...groups]) => isBroken(groups))
      .map(([found]) => `${file}: ${found.trim()}`),
  );
}

const numbersIn = (text = ''): string[] => text.match(/\d[\d.]*(?<!\.)/g) ?? [];

/** `spec §4.2`, `spec §2 and §6`. */
const SPEC = /\bspec (§\d[\d.]*(?<!\.)(?:(?:,| and) §\d[\d.]*(?<!\.))*)/g;
const badSections = (texts?: Source[]) =>
  broken(SPEC, ([list]) => numbersIn(list).some((number) => !sections.has(number)), texts);

/** `decision 0029`, `decisions 0026 and 0029`. */
const badDecisions = (texts?: Source[]) =>
  broken(
    /\bdecisions? (\d{2,}(?:(?:,| and| to) \d{2,})*)/gi,
    ([list]) => numbersIn(list).some((number) => !decisions.has(number)),
    texts,
  );

/** Links of pages that show another number than their record has, `[0002](0004-group-commit.md)`, and numbers in brackets: `(0073)`. */
const badNumbers = (texts = sources.filter(isPage)) => [
  ...broken(
    /\[(?:decision )?(\d{4})\]\(([^)\s]+)\)/gi,
    ([number = '', target = '']) => !path.basename(target).startsWith(`${number}-`),
    texts,
  ),
  ...broken(
    /(?<!\])\((0\d{3})\)/g,
    ([number = '']) => !decisions.has(number),
    texts.filter(({ file }) => /^docs\/(?:decisions|understand\/notes|x)/.test(file)),
  ),
];

/** `promise 2`, `rules 5 and 7`. */
const badPromises = (texts?: Source[]) =>
  broken(
    /\b(promise|rule)s? (\d+(?:(?:,| and| to) \d+)*)(?![\w.])/g,
    ([kind, list]) =>
      numbersIn(list).some((number) => !promised.has(kind === 'promise' ? `P${number}` : number)),
    texts,
  );

/**
 * `ARCHITECTURE.md, Group commit`, `docs/build/agents.md, Loops` and, for a page of `docs/understand/notes`, `notes/runs.md,
 * Prompts`: a page, and perhaps one of its headings.
 */
const badPages = (texts = sources.filter((each) => !isPage(each))) =>
  broken(
    /(?<![\w./-])(ARCHITECTURE\.md|(?:docs|notes)\/[\w/-]+\.md)(?:, ([^;:.()'"`]+?)(?= *[;:.)]))?/g,
    ([named = '', heading]) => {
      const page = named.startsWith('notes/') ? `docs/understand/${named}` : named;
      return (
        !existsSync(path.join(ROOT, page)) || (heading !== undefined && !headings(page).includes(heading))
      );
    },
    texts,
  );

/** Every other `§` must name its document: `spec §4.2`, `RFC 9110 §10.1.1`. */
const withoutDocument = (texts: Source[] = sources) =>
  texts.flatMap(({ file, joined }) => {
    const rest = joined.replaceAll(SPEC, '').replaceAll(/\bRFC \d+ §[\d.]+/g, '');
    return [...rest.matchAll(/§\d/g)].map(
      ({ index }) => `${file}: ${rest.slice(Math.max(0, index - 24), index + 8)}`,
    );
  });

/** Names of documents that are not here, and other ways to write what has one form. */
const otherForms = (texts?: Source[]) =>
  broken(
    /\bapi-spec\b|\bdecisions,? §|\b(?:STACK|STYLE|HOUSE)(?:\.md)?\b|\bARCHITECTURE\b(?!\.md)|(?<![/(])\bclients\.md\b|\bspec(?:ification)?,? (?:section )?\d+(?:\.\d+)?\b/g,
    () => true,
    texts,
  );
const decisionsByPath = (texts = sources.filter((each) => !isPage(each))) =>
  broken(/docs\/decisions\/\d{4}/g, () => true, texts);

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Links of a page that lead to no file, or to no heading of it. */
function badLinks({ file, text }: Source): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    .filter(([, target = '', anchor]) => {
      const page = target === '' ? file : path.join(path.dirname(file), target);
      if (!existsSync(path.join(ROOT, page))) return true;
      return anchor !== undefined && !headings(page).map(anchorOf).includes(anchor);
    })
    .map(([found]) => `${file}: ${found}`);
}

/**
 * `src/app.ts`: files that comments name, files and folders that pages name in backticks. The change log tells of files that
 * were, and so do lists of files in tests, which check themselves.
 */
const badPaths = (texts: Source[] = sources.filter(({ file }) => !/^test|^CHANGELOG/.test(file))) =>
  texts.flatMap((each) => {
    const named = isPage(each)
      ? /`((?:src|workers|migrations|test|bin)\/[\w./-]+)`/g
      : /(?<![\w./-])((?:src|workers|migrations|test|bin)\/[\w./-]+\.(?:ts|mjs))\b/g;
    return broken(named, ([target = '']) => !existsSync(path.join(ROOT, target)), [each]);
  });

/** The pages that an index has no link to. */
const missingIn = (files: string[], index: string) =>
  files.filter((file) => !read(index).includes(`](${path.relative(path.dirname(index), file)}`));

const count = (pattern: RegExp): number =>
  sources.reduce((sum, { joined }) => sum + [...joined.matchAll(pattern)].length, 0);

const inComment = (comment: string) => [source('x.ts', `/** ${comment} */`)];

describe('references', () => {
  it('to sections of the specification lead to one', () => {
    expect(badSections()).toEqual([]);
    expect(badSections(inComment('(spec §4.2 and §4.99)'))).toEqual(['x.ts: spec §4.2 and §4.99']);
    expect(badSections(inComment('A fact (spec\n * §44).'))).toHaveLength(1);
    expect(badSections(inComment('Of spec §4.2. See it.'))).toEqual([]);
  });

  it('to decisions lead to a record', () => {
    expect(badDecisions()).toEqual([]);
    expect(badDecisions(inComment('(decisions 0001 and 9999)'))).toHaveLength(1);
    expect(badDecisions(inComment('(decision 29)'))).toHaveLength(1);
    expect(badNumbers()).toEqual([]);
    expect(badNumbers([source('docs/x.md', '[0002](0004-group-commit.md), and so (0009)')])).toHaveLength(2);
    expect(badNumbers([source('docs/x.md', '[decision 0002](0002-x.md) (0002)')])).toEqual([]);
  });

  it('to promises and rules lead to one', () => {
    expect(badPromises()).toEqual([]);
    expect(badPromises(inComment('(promise 11)'))).toHaveLength(1);
    expect(badPromises(inComment('(rules 5 and 20)'))).toHaveLength(1);
    expect(badPromises(inComment('(promise 10, rule 19)'))).toEqual([]);
  });

  it('to pages lead to a page, and to a heading of it where they name one', () => {
    expect(badPages()).toEqual([]);
    expect(badPages(inComment('(ARCHITECTURE.md, Nothing like it)'))).toHaveLength(1);
    expect(badPages(inComment('(docs/build/agents.md, Nothing like it; spec §4)'))).toHaveLength(1);
    expect(badPages(inComment('(docs/nowhere.md)'))).toHaveLength(1);
    expect(badPages(inComment('(docs/build/agents.md, HTTP request)'))).toEqual([]);
    expect(badPages(inComment('(notes/runs.md, Nothing like it)'))).toHaveLength(1);
    expect(badPages(inComment('(notes/runs.md, Run alone)'))).toEqual([]);
  });

  it('to files of the code lead to one', () => {
    expect(badPaths()).toEqual([]);
    expect(badPaths(inComment('(src/nowhere/nothing.ts)'))).toHaveLength(1);
    expect(badPaths([source('docs/x.md', 'See `src/nowhere` and `test/support`.')])).toHaveLength(1);
  });

  it('have one form for each kind, and name a document that is here', () => {
    expect(otherForms()).toEqual([]);
    expect(decisionsByPath()).toEqual([]);
    for (const old of ['api-spec §6', 'decisions §4', 'STYLE, Lists', 'ARCHITECTURE, rule 3', 'spec 4.2']) {
      expect(otherForms(inComment(old))).toHaveLength(1);
    }
    expect(decisionsByPath(inComment('docs/decisions/0002-delivery-row-is-the-token.md'))).toHaveLength(1);
  });

  it('to a section name its document', () => {
    expect(withoutDocument()).toEqual([]);
    expect(withoutDocument(inComment('see below, chapter §7'))).toHaveLength(1);
    expect(withoutDocument(inComment('RFC 7617 §2.2, spec §2 and §6.1'))).toEqual([]);
  });

  it('are found at all', () => {
    expect(count(SPEC)).toBeGreaterThan(150);
    expect(count(/\brules? \d+/g)).toBeGreaterThan(80);
    expect(count(/\bdecision \d{4}/g)).toBeGreaterThan(50);
  });
});

describe('pages', () => {
  it('link to files and headings that are there', () => {
    expect(sources.filter(isPage).flatMap(badLinks)).toEqual([]);
    expect(
      badLinks(source('README.md', '[a](docs/nowhere.md) [b](docs/use/api.md#nothing) [c](#no)')),
    ).toHaveLength(3);
  });

  it('of docs stand in the index, decisions in their own', () => {
    const ofDocs = sources.filter(isPage).flatMap(({ file }) => (file.startsWith('docs/') ? [file] : []));
    const records = ofDocs.filter((file) => /^docs\/decisions\/\d/.test(file));
    const pages = ofDocs.filter((file) => !records.includes(file) && file !== 'docs/README.md');
    expect(missingIn(pages, 'docs/README.md')).toEqual([]);
    expect(missingIn(records, 'docs/decisions/README.md')).toEqual([]);
    expect(missingIn(['docs/use/nowhere.md'], 'docs/README.md')).toHaveLength(1);
  });

  it('for operators name tests that hold them', () => {
    const ofOperators = sources.filter(({ file }) => file.startsWith('docs/operate/'));
    const without = ofOperators.filter(({ text }) => !/`test\/[\w./-]+\.test\.ts`/.test(text));
    expect(ofOperators.length).toBeGreaterThan(15);
    expect(without.map(({ file }) => file)).toEqual([]);
  });

  it('list every endpoint in the specification, and no other', () => {
    const table = read(SPECIFICATION).split(/^## 10 .*$/m)[1] ?? '';
    const listed = [...table.matchAll(/^\| ([A-Z, ]+) (`\/api\/[^|]+) \|/gm)].flatMap(
      ([, methods = '', paths = '']) =>
        methods
          .split(', ')
          .flatMap((method) => [...paths.matchAll(/`([^`]+)`/g)].map(([, route]) => `${method} ${route}`)),
    );
    const served = ROUTES.map(
      ({ method, path: route }) => `${method.toUpperCase()} ${route.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(listed.toSorted()).toEqual(served.toSorted());
  });
});
