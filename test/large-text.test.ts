import { largeText } from '../src/db/large-text.js';
import { useStores } from './support/stores.js';

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
});
