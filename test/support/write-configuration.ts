import { readFileSync, writeFileSync } from 'node:fs';
import {
  CONFIGURATION_PAGE,
  ENVIRONMENT_EXAMPLE,
  environmentExample,
  withVariables,
} from './configuration-page.js';
import { CHART_SCHEMA, withSecretsRefused } from './deploy/chart-schema.js';

/** `npm run docs:configuration`: writes the variables into docs/operate/configuration.md, `.env.example` and the chart for Helm. */
writeFileSync(CONFIGURATION_PAGE, withVariables(readFileSync(CONFIGURATION_PAGE, 'utf8')));
writeFileSync(ENVIRONMENT_EXAMPLE, environmentExample());
writeFileSync(CHART_SCHEMA, withSecretsRefused(readFileSync(CHART_SCHEMA, 'utf8')));
