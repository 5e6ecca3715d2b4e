import Joi from 'joi';
import { integerVariable, oneOfVariable, port, textVariable } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Metrics');

/** The address of each process's metrics, and its readers. */
export const metricsVariables = {
  metrics: variable('METRICS', oneOfVariable('on', 'off'), {
    default: 'on',
    meaning: 'Whether processes count and serve metrics.',
    more: 'metrics.md',
  }),
  metricsPort: variable('METRICS_PORT', port, {
    default: 9464,
    meaning: 'Metrics port of a process; if in use, the next free one of 32.',
    note: 'Set a separate port for each process if several run on one machine.',
    more: 'metrics.md#several-processes-on-one-machine',
  }),
  metricsHost: variable('METRICS_HOST', textVariable('an address of this machine, or a name for it'), {
    default: '127.0.0.1',
    meaning: 'Address on which the metrics are served.',
  }),
  metricsToken: variable(
    'METRICS_TOKEN',
    textVariable('at least 16 characters without spaces', Joi.string().min(16).pattern(/^\S+$/)),
    {
      secret: true,
      defaultText: 'none: anyone who can reach the port can read',
      meaning: 'Bearer token required to read metrics.',
    },
  ),
  metricsStories: variable('METRICS_STORY_LABEL', integerVariable({ max: 1_000, zero: 'no story labels' }), {
    default: 0,
    meaning: 'Maximum number of stories counted by id in each process; all others count as `other`.',
  }),
};
