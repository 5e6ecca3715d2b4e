import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const CONSOLE = path.join(ROOT, 'src/console');
const TOKENS = 'styles/tokens.css';

const read = (name: string) =>
  readFileSync(path.join(CONSOLE, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const tokens = read(TOKENS);
const sheets = files
  .filter((name) => name.endsWith('.css') && name !== TOKENS)
  .map((name) => ({ name, text: read(name) }));

/** The values of a theme that are colours: `--ink` to `#161827`, through the names that it is made of. */
function coloursOf(theme: 'light' | 'dark'): Map<string, string> {
  const [light = '', dark = ''] = tokens.split(':root[data-theme="dark"]');
  const values = new Map<string, string>();
  for (const block of theme === 'light' ? [light] : [light, dark]) {
    for (const [, name = '', value = ''] of block.matchAll(/(--[\w-]+):\s*([^;]+);/g))
      values.set(name, value.trim());
  }
  const resolved = (value: string): string => {
    const [, name] = /^var\((--[\w-]+)\)$/.exec(value) ?? [];
    return name === undefined ? value : resolved(values.get(name) ?? '');
  };
  return new Map([...values].map(([name, value]) => [name, resolved(value)]));
}

/** How light a colour is, as WCAG counts it. */
const lightOf = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of two colours, as WCAG counts it. */
function contrast(one: string, another: string): number {
  const [high = 0, low = 0] = [lightOf(one), lightOf(another)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ['--bg', '--surface', '--sunken', '--hover'];
const TEXTS = ['--ink', '--ink-soft', '--ink-faint', '--accent', '--running', '--ok', '--warn', '--bad'];
const TINTED = ['accent', 'running', 'ok', 'warn', 'bad'];
const DRAWN = ['--signature', '--chart-ok', '--chart-warn', '--chart-bad', '--chart-running', '--chart-off'];

describe('the values of the design', () => {
  it.each(['light', 'dark'] as const)('can be read in the %s theme', (theme) => {
    const colours = coloursOf(theme);
    const of = (name: string) => colours.get(name) ?? '';
    const pairs: [ink: string, ground: string, least: number][] = [
      ...TEXTS.flatMap((ink) => GROUNDS.map((ground): [string, string, number] => [ink, ground, 4.5])),
      ...TINTED.flatMap((name): [string, string, number][] => [
        [`--${name}`, `--${name}-soft`, 4.5],
        ['--ink', `--${name}-soft`, 4.5],
        ['--ink-soft', `--${name}-soft`, 4.5],
      ]),
      ['--accent-ink', '--accent', 4.5],
      // What is drawn, not written.
      ...DRAWN.flatMap((ink) =>
        ['--bg', '--surface'].map((ground): [string, string, number] => [ink, ground, 3]),
      ),
      ...[...colours.keys()]
        .filter((name) => name.startsWith('--kind-'))
        .map((name): [string, string, number] => [name, '--surface', 3]),
    ];
    expect(pairs.length).toBeGreaterThan(60);
    const low = pairs
      .map(([ink, ground, least]) => ({ ink, ground, least, has: contrast(of(ink), of(ground)) }))
      .filter(({ has, least }) => !(has >= least));
    expect(low).toEqual([]);
  });

  it('have twelve steps of neutral in both themes', () => {
    for (const theme of ['light', 'dark'] as const) {
      const steps = [...coloursOf(theme)].filter(([name]) => /^--gray-\d+$/.test(name));
      expect(steps.map(([, value]) => value)).toHaveLength(12);
      expect(new Set(steps.map(([, value]) => value)).size).toBe(12);
    }
  });

  it('are the only colours of the sheets', () => {
    const raw = sheets.flatMap(({ name, text }) =>
      [...text.matchAll(/#[0-9a-f]{3,8}\b(?=[^{}]*;)|\b(?:rgba?|hsla?|oklch)\([^)]*\)/gi)].map(
        ([found]) => `${name}: ${found}`,
      ),
    );
    expect(raw).toEqual([]);
  });

  it('are the only sizes of text, and its weights are 400, 500 and 600', () => {
    const sizes = [...tokens.matchAll(/--text[\w-]*:\s*(\d+)px/g)].map(([, size]) => Number(size));
    expect(sizes).toEqual([12, 13, 15, 20, 28]);
    const odd = sheets.flatMap(({ name, text }) => [
      ...[...text.matchAll(/font-size:\s*([^;]+);/g)]
        .filter(([, size = '']) => !/^(?:var\(--text[\w-]*\)|inherit)$/.test(size))
        .map(([found]) => `${name}: ${found}`),
      ...[...text.matchAll(/font:\s*([^;]+);/g)]
        .filter(([, font = '']) => !/^inherit$|^(?:[456]00 )?var\(--text/.test(font))
        .map(([found]) => `${name}: ${found}`),
      ...[...text.matchAll(/font-weight:\s*([^;]+);/g)]
        .filter(([, weight = '']) => !/^(?:400|500|600|inherit)$/.test(weight))
        .map(([found]) => `${name}: ${found}`),
    ]);
    expect(odd).toEqual([]);
  });

  it('are all there: a sheet or a picture names none that is missing', () => {
    const known = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    const texts = [
      ...sheets,
      ...files.filter((name) => /\.tsx?$/.test(name)).map((name) => ({ name, text: read(name) })),
    ];
    const missing = texts.flatMap(({ name, text }) => {
      const own = new Set([...text.matchAll(/(--[\w-]+):/g)].map(([, each]) => each));
      return [...text.matchAll(/var\((--[\w-]+)/g)]
        .map(([, each = '']) => each)
        .filter((each) => !known.has(each) && !own.has(each) && !/^--(?:radix|xy)-/.test(each))
        .map((each) => `${name}: ${each}`);
    });
    expect(missing).toEqual([]);
  });
});
