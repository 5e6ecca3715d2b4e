import { readFileSync, writeFileSync } from 'node:fs';
import { DOCTOR_PAGE, withFindings } from './doctor-page.js';

/** `npm run docs:doctor`: writes the kinds of findings into docs/operate/doctor.md. */
writeFileSync(DOCTOR_PAGE, withFindings(readFileSync(DOCTOR_PAGE, 'utf8')));
