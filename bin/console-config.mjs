// The build of the console, which is what people see in a browser: `bin/build-console.mjs` and `bin/dev-console.mjs` use it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Directives for React's server components mean nothing in a browser. */
const isAboutServers = ({ code }) => code === 'MODULE_LEVEL_DIRECTIVE';

/** The script that sets the theme before the first paint is no module: Vite leaves it as it is. */
const theme = {
  name: 'theme',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: './theme.js' }, injectTo: 'head' }],
  },
};

/** The fonts of nearly every page are on their way before the sheet that names them has come. */
const fonts = {
  name: 'fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /\/geist(?:-mono)?-latin-wght-normal-/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        })),
  },
};

/** Sheets are loaded in any order, so each begins with the order of the layers: what a page says counts most. */
const layers = {
  name: 'layers',
  enforce: 'pre',
  transform: (code, id) =>
    /\/src\/console\/.+\.css$/.test(id) ? `@layer base, ui, page;\n${code}` : undefined,
};

/** Returns Vite's configuration: relative addresses, hashed names, and the licences of all packages in a file. */
export function consoleConfig() {
  return {
    configFile: false,
    root: path.join(root, 'src', 'console'),
    base: './',
    cacheDir: path.join(root, '.cache', 'vite'),
    define: { __FABULA_VERSION__: JSON.stringify(version) },
    plugins: [theme, fonts, layers],
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      target: 'es2022',
      emptyOutDir: true,
      // A data URL is a request less, and nothing that the policy of the page allows for fonts or scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        onwarn: (warning, warn) => (isAboutServers(warning) ? undefined : warn(warning)),
      },
    },
  };
}
