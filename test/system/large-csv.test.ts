import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Renders with the built product: the time limit of templates counts there as it does for users. */
const PROGRAM = `
  const { createFormulaLanguage } = require(process.argv[1]);
  const { createLiquidLanguage } = require(process.argv[2]);
  const t = ['a,b,c,d,e,f,g,h,i,j', ...Array.from({ length: 99_000 }, (_, n) => n + process.argv[3])].join('\\n');
  const none = new Map();
  const scope = { event: { t }, resources: none, credentials: none, stories: none, meta: {}, storyRunGuid: '' };
  const formula = createFormulaLanguage();
  const objects = formula.render('=CSV_PARSE_TO_OBJECTS(t)', scope);
  const rows = formula.render('=CSV_PARSE(t)', scope);
  const size = createLiquidLanguage().render('{{ t | csv_parse | size }}', scope);
  console.log(JSON.stringify([objects.length, objects.at(-1).a, objects.at(-1).j, rows.length, rows.at(-1).at(-1), size]));
`;

describe('a CSV as large as documented', () => {
  it.each([
    ['plain', ',x,y,z,1,2,3,4,5,abc', 'abc'],
    ['quoted', ',"x","y","z",1,2,3,4,5,"a ""b"" c"', 'a "b" c'],
  ])('L7: is read within the time of a template: 99,000 lines of ten fields, %s', (_, fields, last) => {
    const languages = ['formula/formula-language.ts', 'liquid/liquid-language.ts'].map((file) =>
      path.join(__dirname, '../../src/language', file),
    );
    const output = execFileSync(process.execPath, ['--import', 'tsx', '-e', PROGRAM, ...languages, fields], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(JSON.parse(output)).toEqual([99_000, '98999', last, 99_001, last, '99000']);
  });
});
