import path from 'node:path';
import { SECRET_NAMES } from './deployed.js';

/** The schema of the values of the chart for Helm. */
export const CHART_SCHEMA = path.resolve(__dirname, '../../../deploy/helm/fabula/values.schema.json');

/** Settings that the chart gives itself. */
const OWN = [
  'ADMIN_PORT',
  'DATA_DIR',
  'METRICS',
  'METRICS_HOST',
  'METRICS_PORT',
  'PORT',
  'QUEUE_PARTS',
  'SHUTDOWN_SECONDS',
];

interface ChartSchema {
  properties: {
    workers: { propertyNames: { enum: string[] } };
    queueParts: { propertyNames: { enum: string[] }; additionalProperties: { maximum: number } };
    settings: { propertyNames: { not: { enum: string[] } } };
  };
}

/** Returns the schema, in which `settings` refuses every secret: those are keys of the Secret. */
export function withSecretsRefused(text: string): string {
  const schema = readChartSchema(text);
  schema.properties.settings.propertyNames.not.enum = [...SECRET_NAMES, ...OWN].toSorted();
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Parses the schema. */
export function readChartSchema(text: string): ChartSchema {
  return JSON.parse(text) as ChartSchema;
}
