import { runCommand } from '../support/product/run-command.js';

describe('help', () => {
  test.each([
    ['help story try', 'Usage: fabula story try [options] <file>'],
    ['story try --help', 'Usage: fabula story try [options] <file>'],
    ['story help try', 'Usage: fabula story try [options] <file>'],
    ['help tenant quota', 'Usage: fabula tenant quota'],
    ['help story', 'Usage: fabula story [options] [command]'],
    ['help', 'Usage: fabula [options] [command]'],
    ['--help', 'help [command...]'],
  ])('%s', async (words, line) => {
    const { code, out, err } = await runCommand({ args: words.split(' '), env: {} });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(line);
  });

  test.each(['help nothing', 'help story nothing', 'help story try more', 'help __proto__'])(
    '%s names what is unknown',
    async (words) => {
      const { code, out, err } = await runCommand({ args: words.split(' '), env: {} });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toBe(`error: unknown command '${words.replace('help ', '')}'\n`);
    },
  );
});
