const { TestEnvironment } = require('jest-environment-node');
const { callProduct } = require('./products.js');

/** The environment of tests with stores: it keeps the test product from one test file of a Jest worker to the next. */
module.exports = class ProductEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.callFabulaProduct = (name, input) => callProduct(name, input);
  }
};
