import Joi from 'joi';
import type { OperatorCheck } from '../../people/face.js';
import { type AnyRoute, defineRoute, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { DoctorService } from './doctor-service.js';
import { GROUPS } from './finding.js';
import { FINDING_SEVERITIES } from './report.js';

interface Services {
  doctor: DoctorService;
  operators: Pick<OperatorCheck, 'requireOperator'>;
}

const count = Joi.number().integer().min(0);

const doctorResponse = responseSchema({
  version: Joi.string().description('Version of Fabula that ran the checks'),
  checks: count.description('Number of checks'),
  counts: responseSchema({
    error: count.description('Problems that break something now'),
    warning: count.description('Problems that may break something soon'),
    note: count.description('Informational findings'),
  }).description('Number of findings by severity'),
  findings: Joi.array()
    .items(
      responseSchema({
        id: Joi.string().description('Identifier of the finding; `docs/operate/doctor.md` lists all'),
        group: Joi.valid(...Object.keys(GROUPS)).description('Affected part of the installation'),
        severity: Joi.valid(...FINDING_SEVERITIES).description('Severity'),
        found: Joi.string().description('The facts, with numbers'),
        why: Joi.string().description('Why it matters'),
        remedy: Joi.string().description('How to fix it'),
        since: timeSchema.allow(null).description('When the problem began; null if unknown'),
      }),
    )
    .description('Findings by group, most severe first'),
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
        'For an Owner of the only tenant. Checks the database, Redis, the spool and the work of all processes, and returns the problems found. A report is at most 15 seconds old. The command `fabula doctor` also checks the configuration, the disk, mail and DNS of its machine.',
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
              why: 'If the database machine fails, accepted events are lost.',
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
