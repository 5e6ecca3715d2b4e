import Joi from 'joi';
import { integerVariable, textVariable, webUrl } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Archive of runs');
const more = 'operations/archive.md';

/** A folder, or a bucket with a prefix; names of objects need no escapes then. */
const target = Joi.string().pattern(
  /^(?:s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]*)?|(?!\w+:\/\/).+)$/,
  'a folder, or s3://bucket/prefix',
);

/** The place where old runs are archived before retention deletes them. */
export const archiveVariables = {
  archiveTo: variable('ARCHIVE_TO', textVariable('a folder, or `s3://bucket/prefix`', target), {
    defaultText: 'runs are deleted without an archive',
    meaning: 'Where ended runs are copied to before retention deletes them.',
    note: 'All processes need it: the web server reads archived runs.',
    example: 's3://my-bucket/fabula',
    more,
  }),
  archiveAfterHours: variable('ARCHIVE_AFTER_HOURS', integerVariable({ min: 1, max: 87_600 }), {
    default: 24,
    unit: 'hours',
    meaning: 'Age from which ended runs are archived; what is due for deletion is archived earlier.',
    more,
  }),
  archiveS3: {
    endpoint: variable('ARCHIVE_S3_ENDPOINT', webUrl, {
      defaultText: '`https://s3.<region>.amazonaws.com`',
      meaning: 'Address of an object storage with the API of S3.',
      example: 'https://minio.example.com:9000',
    }),
    region: variable('ARCHIVE_S3_REGION', textVariable('a region', Joi.string().pattern(/^[a-z0-9-]+$/)), {
      default: 'us-east-1',
      meaning: 'Region that requests to the object storage are signed for.',
    }),
    accessKeyId: variable('ARCHIVE_S3_ACCESS_KEY_ID', textVariable('a key'), {
      meaning: 'Name of the key for the object storage.',
    }),
    secretAccessKey: variable('ARCHIVE_S3_SECRET_ACCESS_KEY', textVariable('a secret'), {
      secret: true,
      meaning: 'The key for the object storage.',
    }),
  },
};
