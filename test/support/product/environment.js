const { TestEnvironment } = require('jest-environment-node');
const { callProduct } = require('./products.js');

// Node frees the memory of hundreds of test files when nothing is left to do, and Jest ends a worker that takes half a second
// for that, with a warning of leaks. A call of exit frees nothing.
process.once('beforeExit', () => process.exit());

/** The environment of tests with stores: it keeps the test product from one test file of a Jest worker to the next. */
module.exports = class ProductEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.callFabulaProduct = (name, input) => callProduct(name, input);
    this.global.loadedOnce = (name) => require(name);
  }
};
