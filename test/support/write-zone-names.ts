import { readFileSync, writeFileSync } from 'node:fs';
import { zoneNamePage } from './zone-name-page.js';

/** `npm run zones`: writes the abbreviations of the system's time zones into the server's table. */
const FILE = 'src/language/dates/zone-name-data.ts';
const DATABASE = '/usr/share/zoneinfo';

const index = readFileSync(`${DATABASE}/tzdata.zi`, 'utf8');
writeFileSync(
  FILE,
  zoneNamePage(index, (zone) => readFileSync(`${DATABASE}/${zone}`)),
);
