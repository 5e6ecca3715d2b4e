// `node bin/test-product.mjs`: builds the product that test files start, unless it is up to date. The set-up of a test run calls it.
import { ensureTestProduct, enter } from './bootstrap.mjs';

await enter(async () => {
  await ensureTestProduct((line) => process.stderr.write(`${line}\n`));
  return 0;
});
