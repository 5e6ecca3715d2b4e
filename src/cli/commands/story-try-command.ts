import type { Command } from 'commander';
import { createSecretScrubber } from '../../language/secret-scrubber.js';
import { scrubStrings } from '../../engine/dry-run/scrub-strings.js';
import { presentTrial } from '../../engine/dry-run/trial-presenter.js';
import { hasFailed } from '../../engine/dry-run/trial-report.js';
import { trialText } from '../../engine/dry-run/trial-text.js';
import type { Cli } from '../cli.js';
import { type TryOptions, tryStory } from '../try-story.js';

/** `story try`: a story runs in this process, and what it does is shown. Needs no database. */
export function addStoryTry(story: Command, cli: Cli): void {
  story
    .command('try')
    .description(
      'run a story without a database, and show what it does; exit code 1 when it does not get through',
    )
    .argument('<file>', 'an export, or the body of an import; - for standard input')
    .option(
      '--event <file>',
      'JSON: the body for a webhook, what another action knows of the past (default: {})',
    )
    .option('--start <action>', 'action to begin at (default: the one that a manual run begins at)')
    .option('--header <header>', '"name: value" of the call of a webhook; may be repeated', collected, [])
    .option('--answer <file>', 'JSON: rules that say how requests are answered')
    .option('--record <file>', 'really send what no rule answers, and write the answers there as rules')
    .option('--values <file>', 'JSON: {"resources": {…}, "credentials": {…}}')
    .option('--max-events <number>', 'stop after so many (default: RUN_EVENT_LIMIT)')
    .option('--full', 'show payloads whole, and every log line')
    .action(
      cli.offlineAction(async (options: TryOptions & { full?: boolean }, [file = '-']) => {
        const { report, credentials } = await tryStory(cli.io, file, options);
        const scrub = createSecretScrubber(credentials);
        return {
          json: scrubStrings(presentTrial(report), scrub),
          text: scrub(trialText(report, { full: options.full === true })),
          failed: hasFailed(report),
        };
      }),
    );
}

function collected(value: string, before: string[]): string[] {
  return [...before, value];
}
