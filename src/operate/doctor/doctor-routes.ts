import Joi from 'joi';
import type { Operators } from '../../people/face.js';
import { type AnyRoute, defineRoute, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { DoctorService } from './doctor-service.js';
import { GROUPS } from './finding.js';
import { FINDING_SEVERITIES } from './report.js';

interface Services {
  doctor: DoctorService;
  operators: Pick<Operators, 'requireOperator'>;
}

const count = Joi.number().integer().min(0);

const doctorResponse = responseSchema({
  version: Joi.string().description('The version of Fabula that looked'),
  checks: count.description('Number of checks'),
  counts: responseSchema({
    error: count.description('Findings of something that does not work'),
    warning: count.description('Findings of something that soon may not work'),
    note: count.description('Findings that are good to know'),
  }).description('Number of findings of each severity'),
  findings: Joi.array()
    .items(
      responseSchema({
        id: Joi.string().description('The kind of finding; `docs/operations/doctor.md` lists all'),
        group: Joi.valid(...Object.keys(GROUPS)).description('The part of the installation'),
        severity: Joi.valid(...FINDING_SEVERITIES).description('How bad it is'),
        found: Joi.string().description('The facts, with figures'),
        why: Joi.string().description('Why it matters'),
        remedy: Joi.string().description('How to end it'),
        since: timeSchema.allow(null).description('Since when it is so; null: not known'),
      }),
    )
    .description('The findings by group, the worst first'),
});

/** The state of the installation (spec §1.9). */
export const doctorRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/doctor',
    summary: 'Check the installation',
    docs: {
      tag: 'Info',
      operationId: 'getDoctor',
      description:
        'For an Owner of the only tenant. Looks at the database, Redis, the spool and the work of all processes, and returns what is wrong. A report is at most 15 seconds old. The command `fabula doctor` also looks at the configuration, the disk, mail and DNS of its machine.',
      response: doctorResponse,
      example: {
        response: {
          version: '1.0.0',
          checks: 19,
          counts: { error: 1, warning: 0, note: 0 },
          findings: [
            {
              id: 'database.flush',
              group: 'database',
              severity: 'error',
              found: 'innodb_flush_log_at_trx_commit is 2.',
              why: 'If the machine of the database fails, events that were accepted with success are lost.',
              remedy: 'Set innodb_flush_log_at_trx_commit = 1 on the server.',
              since: null,
            },
          ],
        },
      },
      errors: [403],
    },
    async handle({ actor }, { doctor, operators }) {
      await operators.requireOperator(actor);
      const { version, checks, counts, findings } = await doctor.report();
      return {
        version,
        checks,
        counts,
        findings: findings.map(({ id, group, severity, found, why, remedy, since }) => ({
          id,
          group,
          severity,
          found,
          why,
          remedy,
          since: since === undefined ? null : timestamp(since),
        })),
      };
    },
  }),
];
