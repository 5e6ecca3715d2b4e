import { besideEach } from '../beside-attack.js';
import { attacksBy } from '../hostile-tenants.js';
import type { Measure } from '../measure.js';

const COUNTS = [1, 2, 5];

export const measure: Measure = {
  number: 20,
  sentence: `promise 9: ${COUNTS.join(', ')} tenants are hostile at once; webhook to exit of another one, alone and beside each attack`,
  run: (bench) => besideEach(bench, 20, COUNTS.flatMap(attacksBy)),
};
