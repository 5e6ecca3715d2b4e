import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { countsOf, type FileReport } from '../../src/stories/check/check-report.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { checkCorpus, importOnlyKinds, judge } from '../corpus/corpus.js';
import { corpusText } from '../corpus/corpus-text.js';
import { AUTHOR_ERRORS } from '../support/author-errors.js';
import { agent, realExports, smallExport } from '../support/stories.js';
import { corpusTexts } from '../support/template-corpus.js';

const CHECKOUT = path.resolve(__dirname, '../..');
const exports = realExports();
const describeIfThere = exports.length > 0 ? describe : describe.skip;

describeIfThere('the real exports (beside the checkout; skipped where they are missing)', () => {
  let reports: FileReport[] = [];
  beforeAll(() => {
    reports = checkCorpus(exports);
  });

  it('would all be imported, and every template parses, but for the known errors of their authors', () => {
    expect(reports.length).toBeGreaterThanOrEqual(56);
    expect(judge(reports)).toEqual({ unexpected: [], outdated: [] });
  });

  it('have no action that can only be stored, but for those of spec §3.3', () => {
    const kinds = [
      'EventTransformationAgent automatic',
      'FormAgent',
      'IMAPAgent',
      'LLMAgent',
      'RunScriptAgent',
    ];
    expect([...importOnlyKinds(reports).keys()].filter((kind) => !kinds.includes(kind))).toEqual([]);
  });

  it('have the templates counted that the two languages are tested with', () => {
    const { liquid, formula } = countsOf(reports);
    const tested = [createLiquidLanguage(), createFormulaLanguage()].flatMap(corpusTexts);
    expect(liquid + formula).toBe(tested.length);
  });
});

const story = (payload: string) =>
  [
    'odd.json',
    JSON.stringify(
      smallExport({
        agents: [agent('Agents::EventTransformationAgent', '1', { mode: 'message_only', payload })],
        links: [],
      }),
    ),
  ] as [string, string];

const run = (where: string) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/corpus/run-corpus.ts', where], {
    cwd: CHECKOUT,
    timeout: 60_000,
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  );

describe('the corpus run', () => {
  const known = {
    file: 'odd.json',
    action: 'EventTransformation 1',
    option: 'payload',
    reason: 'not closed',
  };

  it('takes a fault that is listed as its author’s, and no other', () => {
    const broken = checkCorpus([story('{{ .a')]);
    expect(judge(broken, [known])).toEqual({ unexpected: [], outdated: [] });
    expect(judge(broken, [{ ...known, option: 'path' }])).toEqual({
      unexpected: [expect.objectContaining({ action: known.action, option: 'payload' })],
      outdated: [{ ...known, option: 'path' }],
    });
  });

  it('notices an author error that is no fault any more, of the files that it looked at', () => {
    const whole = checkCorpus([story('{{ .a }}')]);
    expect(judge(whole, [known, { ...known, file: 'elsewhere.json' }])).toEqual({
      unexpected: [],
      outdated: [known],
    });
  });

  it('counts a filter that is not known, and a file that is refused, as faults', () => {
    const { unexpected } = judge(checkCorpus([story('{{ .a | shout }}'), ['no.json', '[]']]), []);
    expect(unexpected.map(({ file, option }) => [file, option])).toEqual([
      ['odd.json', 'payload'],
      ...unexpected.slice(1).map(() => ['no.json', undefined]),
    ]);
    expect(unexpected.length).toBeGreaterThan(1);
  });

  it('prints a line for each file, the totals, and the faults', () => {
    const [headings, row, totals, fault] = corpusText(checkCorpus([story('{{ .a')])).split('\n');
    expect(headings).toMatch(/^file +actions +links +sub-stories +liquid +formulas +faults +warnings/);
    expect(row).toMatch(/^odd\.json +1 +0 +0 +1 +0 +1 +0 +0 +-$/);
    expect(totals).toMatch(/^1 files +1 +0 +0 +1 +0 +1 +0 +0 +-$/);
    expect(fault).toMatch(/^fault: odd\.json: EventTransformation 1: payload: \S/);
  });

  it('ends with 1 for a fault, for an empty folder and for none, and with 0 when all is well', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-corpus-'));
    expect(await run(folder)).toEqual({ code: 1, text: expect.stringContaining('There are no exports') });
    expect((await run(path.join(folder, 'none'))).code).toBe(1);
    await writeFile(path.join(folder, 'story.json'), JSON.stringify(smallExport()));
    expect(await run(folder)).toEqual({ code: 0, text: expect.stringContaining('story.json') });
    await writeFile(path.join(folder, 'worse.json'), 'not JSON');
    expect(await run(folder)).toEqual({
      code: 1,
      text: expect.stringContaining('fault: worse.json: refused: is not JSON'),
    });
    await rm(folder, { recursive: true });
  });

  it('lists each author error once, with its reason', () => {
    const places = AUTHOR_ERRORS.map(({ file, action, option }) => JSON.stringify([file, action, option]));
    expect(new Set(places).size).toBe(places.length);
    expect(AUTHOR_ERRORS.filter(({ reason }) => reason.trim() === '')).toEqual([]);
  });
});
