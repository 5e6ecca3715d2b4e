import { readFileSync, writeFileSync } from 'node:fs';
import {
  CONFIGURATION_PAGE,
  ENVIRONMENT_EXAMPLE,
  environmentExample,
  withVariables,
} from './configuration-page.js';

/** `npm run docs:configuration`: writes the variables into docs/configuration.md, and `.env.example`. */
writeFileSync(CONFIGURATION_PAGE, withVariables(readFileSync(CONFIGURATION_PAGE, 'utf8')));
writeFileSync(ENVIRONMENT_EXAMPLE, environmentExample());
