const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { createTransformer } = require('@swc/jest');

/** The modules that a file passes names on from. SWC loads those of `export *` at once, and breaks a lazy `export * as`. */
const PASSED_ON = /^export\b(?!\s*\*)[^'"`;]*?\bfrom '([^']+)'/gm;
const OWN_SOURCE = readFileSync(__filename);

const passedOn = (source) => [...source.matchAll(PASSED_ON)].map(([, name]) => name);

/**
 * Compiles as @swc/jest does, but what a face passes on is loaded when it is first used: Jest loads all anew for each test file, and
 * the face of a room leads to hundreds of modules of which a test uses a few. No module of ours does anything when it is
 * loaded, so the order does not matter.
 */
module.exports = {
  createTransformer(options) {
    const transformer = createTransformer(options);
    return {
      ...transformer,
      getCacheKey: (...file) =>
        createHash('sha1')
          .update(transformer.getCacheKey(...file))
          .update(OWN_SOURCE)
          .digest('hex'),
      process(source, ...rest) {
        const lazy = passedOn(source);
        if (lazy.length === 0) return transformer.process(source, ...rest);
        return createTransformer({ ...options, module: { type: 'commonjs', lazy } }).process(source, ...rest);
      },
    };
  },
};
