import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..');
const FOLDERS = ['src', 'workers', 'migrations', 'bin', 'test', 'docs'];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const OWN_NAME = path.basename(__filename);

interface Source {
  file: string;
  text: string;
}

const sources: Source[] = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs|md)$/.test(name) && path.basename(name) !== OWN_NAME)
      .map((name) => path.join(folder, name)),
  ),
  ...PAGES,
].map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

const headings = (file: string): string[] =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

const sections = new Set(headings('docs/specification.md').map((heading) => heading.split(' ')[0]));
const chapters = new Set(headings('ARCHITECTURE.md'));
const decisions = new Set(readdirSync(path.join(ROOT, 'docs/decisions')).map((name) => name.slice(0, 4)));

/** What `pattern` finds in all sources, and `broken` says leads nowhere, with its file. */
function brokenReferences(
  pattern: RegExp,
  broken: (found: string, groups: string[]) => boolean,
  texts: Source[] = sources,
) {
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)]
      .filter(([found, ...groups]) => broken(found, groups))
      .map(([found]) => `${file}: ${found}`),
  );
}

/** `spec §4.2`, `spec §2 and §6`, `spec §1.3, §1.4`. */
const SPEC = /\bspec (§[\d.]*\d(?:(?:,| and) §[\d.]*\d)*)/g;
const brokenSections = (texts?: Source[]) =>
  brokenReferences(
    SPEC,
    (_, [list = '']) => [...list.matchAll(/§([\d.]+)/g)].some(([, number]) => !sections.has(number)),
    texts,
  );
const brokenDecisions = (texts?: Source[]) =>
  brokenReferences(
    /\bdecisions? (\d{4})\b(?:(?:,| and| to) (\d{4})\b)?/gi,
    (_, numbers) => numbers.some((number) => number !== undefined && !decisions.has(number)),
    texts,
  );
const brokenChapters = (texts?: Source[]) =>
  brokenReferences(/ARCHITECTURE\.md, ([A-Z][a-z ]+[a-z])/g, (_, [name = '']) => !chapters.has(name), texts);
/** Sections of other documents have its name before them: `RFC 9110 §10.1.1`. */
const withoutDocument = (texts: Source[] = sources) =>
  texts
    .filter(({ file }) => /\.(ts|mjs)$/.test(file))
    .flatMap(({ file, text }) => {
      const rest = text.replace(SPEC, '').replace(/\bRFC \d+ §[\d.]+/g, '');
      return [...rest.matchAll(/.{0,20}§\d\S*/g)].map(([found]) => `${file}: ${found}`);
    });
const ofDocumentsThatAreNotHere = (texts?: Source[]) =>
  brokenReferences(/api-spec|decisions §|\bSTACK\b|\bARCHITECTURE(?!\.md)\b/g, () => true, texts);

describe('references in comments and pages', () => {
  it('to sections of the specification lead to one', () => {
    expect(brokenSections()).toEqual([]);
    expect(brokenSections([{ file: 'x.ts', text: '(spec §4.2 and §4.99)' }])).toHaveLength(1);
  });

  it('to decisions lead to a record', () => {
    expect(brokenDecisions()).toEqual([]);
    expect(brokenDecisions([{ file: 'x.ts', text: '(decisions 0001 and 9999)' }])).toHaveLength(1);
  });

  it('to chapters of the architecture lead to one', () => {
    expect(brokenChapters()).toEqual([]);
    expect(brokenChapters([{ file: 'x.ts', text: '(ARCHITECTURE.md, Nothing like it)' }])).toHaveLength(1);
  });

  it('name the document they are of', () => {
    expect(withoutDocument()).toEqual([]);
    expect(withoutDocument([{ file: 'x.ts', text: 'see below, chapter §7' }])).toHaveLength(1);
  });

  it('name no document that is not here', () => {
    expect(ofDocumentsThatAreNotHere()).toEqual([]);
  });

  it('to files of this repository lead to one, in pages', () => {
    const links = sources
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)/g)].map(([, target = '']) => ({
          file,
          target,
        })),
      );
    const broken = links.filter(({ file, target }) => !isThere(path.join(ROOT, path.dirname(file), target)));
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(50);
  });
});

function isThere(place: string): boolean {
  try {
    readFileSync(place);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
