import { productRoot } from '../runtime/product-root.js';

/** Returns the version in package.json. */
export function productVersion(): string {
  return productRoot().manifest.version ?? '';
}
