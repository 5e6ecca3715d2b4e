import { besideEach } from '../beside-attack.js';
import { ATTACKS } from '../hostile-tenants.js';
import type { Measure } from '../measure.js';

export const measure: Measure = {
  number: 17,
  sentence: 'promise 9: one tenant is hostile; webhook to exit of another one, alone and beside each attack',
  run: (bench) => besideEach(bench, 17, ATTACKS),
};
