import Joi from 'joi';
import { integerVariable, textVariable, webUrl } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Run archive');
const more = 'archive.md';

/** A folder, or a bucket with a prefix; names of objects need no escapes then. */
const target = Joi.string().pattern(
  /^(?:s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]*)?|(?!\w+:\/\/).+)$/,
  'a folder, or s3://bucket/prefix',
);

/** The place where old runs are archived before retention deletes them. */
export const archiveVariables = {
  archiveTo: variable('ARCHIVE_TO', textVariable('a folder, or `s3://bucket/prefix`', target), {
    defaultText: 'runs are deleted without an archive',
    meaning: 'Where ended runs are archived before retention deletes them.',
    note: 'Set it for all processes: the web server reads archived runs.',
    example: 's3://my-bucket/fabula',
    more,
  }),
  archiveAfterHours: variable('ARCHIVE_AFTER_HOURS', integerVariable({ min: 1, max: 87_600 }), {
    default: 24,
    unit: 'hours',
    meaning: 'Minimum age of archived runs; runs due for deletion are archived earlier.',
    more,
  }),
  archiveS3: {
    endpoint: variable('ARCHIVE_S3_ENDPOINT', webUrl, {
      defaultText: '`https://s3.<region>.amazonaws.com`',
      meaning: 'URL of an S3-compatible object storage.',
      example: 'https://minio.example.com:9000',
    }),
    region: variable('ARCHIVE_S3_REGION', textVariable('a region', Joi.string().pattern(/^[a-z0-9-]+$/)), {
      default: 'us-east-1',
      meaning: 'Region used to sign requests to the object storage.',
    }),
    accessKeyId: variable('ARCHIVE_S3_ACCESS_KEY_ID', textVariable('a key'), {
      meaning: 'Access key id for the object storage.',
    }),
    secretAccessKey: variable('ARCHIVE_S3_SECRET_ACCESS_KEY', textVariable('a secret'), {
      secret: true,
      meaning: 'Secret access key for the object storage.',
    }),
  },
};
