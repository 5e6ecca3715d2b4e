import { type Galera, startGalera } from './galera.js';
import { galeraLacks } from './galera-node.js';

const START_LIMIT_MS = 240_000;

/**
 * Describes what holds on a Galera cluster of three nodes, which stops after the tests. On a machine that lacks the library, the
 * tests are left out, and their title says why.
 */
export function describeGalera(title: string, tests: (galera: () => Galera) => void): void {
  const missing = galeraLacks();
  const where = missing === undefined ? describe : describe.skip;
  where(missing === undefined ? title : `${title} (${missing})`, () => {
    let galera: Galera | undefined;
    beforeAll(async () => {
      galera = await startGalera();
    }, START_LIMIT_MS);
    afterAll(() => galera?.close(), START_LIMIT_MS);
    tests(() => {
      if (galera === undefined) throw new Error('The cluster runs inside hooks and tests only');
      return galera;
    });
  });
}
