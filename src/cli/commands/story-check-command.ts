import type { Command } from 'commander';
import { checkOptions, runnable } from '../../agents/index.js';
import { ignoredOptions, unusablePatterns } from '../../agents/option-faults.js';
import { presentReports } from '../../stories/check/check-presenter.js';
import { type FileReport, hasFailed } from '../../stories/check/check-report.js';
import { reportText } from '../../stories/check/check-text.js';
import { createStoryChecker } from '../../stories/check/story-checker.js';
import { createFormulaLanguage } from '../../templates/formula/formula-language.js';
import { createLiquidLanguage } from '../../templates/liquid/liquid-language.js';
import type { Cli } from '../cli.js';
import { readInput } from '../cli-io.js';

/** `story check`: what an import of these files would come to. Needs no database. */
export function addStoryCheck(story: Command, cli: Cli): void {
  story
    .command('check')
    .description(
      'say what would run, what would not, and what is wrong; exit code 1 when it should not go in',
    )
    .argument('<file...>', 'exports, or bodies of an import; - for standard input')
    .option('--strict', 'fail on actions that can only be stored, too')
    .action(
      cli.offlineAction(async ({ strict = false }: { strict?: boolean }, names) => {
        const files = await checkFiles(cli, names);
        return {
          json: presentReports(files, strict),
          text: reportText(files),
          failed: hasFailed(files, strict),
        };
      }),
    );
}

async function checkFiles(cli: Cli, names: string[]): Promise<FileReport[]> {
  const checker = createStoryChecker({
    agentTypes: { checkOptions, runnable, unusablePatterns, ignoredOptions },
    languages: { liquid: createLiquidLanguage(), formula: createFormulaLanguage() },
  });
  const reports: FileReport[] = [];
  for (const name of names) {
    const text = await readInput(cli.io, name);
    reports.push(checker.check(name === '-' ? 'standard input' : name, text));
  }
  return reports;
}
