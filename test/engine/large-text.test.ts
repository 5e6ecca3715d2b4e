import { largeText } from '../../src/platform/mysql/statements/large-text.js';
import { rowStatements, textBytes } from '../../src/platform/mysql/statements/row-statements.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

describe('a large text on its way into the database', () => {
  const filler = 'x'.repeat(64 * 1024);

  it.each([
    ['quotes and backslashes', `\\'"\\\\'' ${filler}\\`],
    ['characters of all sizes', `é €😀 ${filler} \u2028\u0001\n\r\t\u001a%_`],
    ['nothing special', filler],
    ['a NUL', `\u0000${filler}`],
    ['more than a pass may take', `é €😀\u0000'"\\'' ${filler.repeat(17)}'`],
    ['more than a pass may take, nothing special', `é €😀 ${filler.repeat(17)}`],
    ['little', "it's \\ small"],
  ])('arrives as it is: %s', async (_, text) => {
    const [row] = await stores.db.read((session) =>
      session.rows<{ text: string }>('SELECT ? AS text', [largeText(text)]),
    );
    expect(row?.text === text).toBe(true);
  });

  it('every row with a large text has it written that way, and every lone statement', async () => {
    const quotes = "it's ".repeat(600_000);
    const rows = [
      ['a', quotes],
      ['b', "it's"],
    ];
    const insert = { table: 't', columns: ['a', 'b'], rows, sizeOf: (row: string[]) => textBytes(row[1]) };
    const written = [...rowStatements(insert)].flatMap((statement) => statement.rows);
    expect(written.map(([, text]) => typeof text)).toEqual(['object', 'string']);

    const stored = await stores.db.read(async (session) => {
      await session.run('DO @kept := ?', [quotes]);
      return session.rows<{ text: string }>('SELECT CONVERT(@kept USING utf8mb4) AS text');
    });
    expect(stored[0]?.text === quotes).toBe(true);
  });
});
