import { existsSync } from 'node:fs';
import path from 'node:path';
import { exportsIn, REAL_EXPORTS } from '../support/stories.js';
import { checkCorpus, judge } from './corpus.js';
import { corpusText } from './corpus-text.js';

/** `npm run corpus [-- FOLDER]`: checks a folder of exports; exit code 1 for any fault that is not known. */
function run(folder: string): number {
  const files = existsSync(folder) ? exportsIn(folder) : [];
  if (files.length === 0) {
    process.stderr.write(
      `There are no exports (*.json) in ${folder}; name a folder: npm run corpus -- FOLDER\n`,
    );
    return 1;
  }
  const reports = checkCorpus(files);
  process.stdout.write(`${corpusText(reports)}\n`);
  const { unexpected, outdated } = judge(reports);
  return unexpected.length + outdated.length === 0 ? 0 : 1;
}

process.exitCode = run(path.resolve(process.argv[2] ?? REAL_EXPORTS));
