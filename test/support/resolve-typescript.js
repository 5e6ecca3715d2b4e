const { existsSync } = require('node:fs');
const path = require('node:path');

const PACKAGES = `${path.sep}node_modules${path.sep}`;

/**
 * Finds modules as Jest does, and `./name.ts` or `./name.tsx` where our sources import `./name.js`. Jest keeps what a resolver has found for all test
 * files of a worker, but looks anew for each import that a `moduleNameMapper` matches: a fifth of the time that loading takes.
 */
module.exports = (name, options) => {
  if (name.startsWith('.') && name.endsWith('.js') && !options.basedir.includes(PACKAGES)) {
    const file = path.resolve(options.basedir, name.slice(0, -'.js'.length));
    for (const ending of ['.ts', '.tsx']) if (existsSync(`${file}${ending}`)) return `${file}${ending}`;
  }
  return options.defaultResolver(name, options);
};
