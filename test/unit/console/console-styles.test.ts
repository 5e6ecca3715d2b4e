import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const CONSOLE = path.resolve(__dirname, '../../../src/console');

interface Sheet {
  /** Under src/console: `ui/card.css`. */
  name: string;
  /** Without comments. */
  text: string;
}

const sheets = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name): Sheet => {
    const text = readFileSync(path.join(CONSOLE, name), 'utf8');
    return { name: name.replaceAll('\\', '/'), text: text.replace(/\/\*[\s\S]*?\*\//g, '') };
  });

/** The layer of the sheets in each room; later layers count before earlier ones. */
const LAYERS = [
  ['styles', 'base'],
  ['ui', 'ui'],
  ['inspector', 'page'],
  ['canvas', 'page'],
  ['app', 'page'],
  ['pages', 'page'],
] as const;

/** Returns the class that each rule is about which stands alone: of `.button.main:hover`, `.button`. */
function classesDefinedIn({ text }: Sheet): Set<string> {
  const selectors = [...text.matchAll(/([^{};]+)\{/g)].flatMap(([, list = '']) => list.split(','));
  const alone = selectors.map((selector) => /^[a-z0-9]*(\.[a-z0-9-]+)[^\s>+~]*$/.exec(selector.trim()));
  return new Set(alone.flatMap((found) => found?.[1] ?? []));
}

describe('styles of the console', () => {
  it.each(sheets)(
    '$name stands in the layer of its room, as do the sheets that it imports',
    ({ name, text }) => {
      const [, layer = ''] = LAYERS.find(([room]) => name.startsWith(`${room}/`)) ?? [];
      const rest = text.replace(/@import "[^"]+" layer\(base\);/g, '').trim();
      expect(rest.startsWith(`@layer ${layer} {`)).toBe(true);
      expect(rest.match(/@layer/g)).toHaveLength(1);
      expect(rest.slice(rest.lastIndexOf('\n')).trim()).toBe('}');
    },
  );

  it('each class is defined in one sheet; others say what it is inside of theirs', () => {
    const homes = new Map<string, string[]>();
    // The build gives the classes of a module names of their own.
    for (const sheet of sheets.filter(({ name }) => !name.endsWith('.module.css'))) {
      for (const name of classesDefinedIn(sheet)) homes.set(name, [...(homes.get(name) ?? []), sheet.name]);
    }
    expect([...homes].filter(([, names]) => names.length > 1)).toEqual([]);
    expect(homes.size).toBeGreaterThan(200);
  });

  it('no script imports a sheet of a package, which would count before every layer', () => {
    const scripts = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const direct = scripts.filter((name) =>
      /import '[^.'][^']*\.css'/.test(readFileSync(path.join(CONSOLE, name), 'utf8')),
    );
    expect(direct).toEqual([]);
  });
});
