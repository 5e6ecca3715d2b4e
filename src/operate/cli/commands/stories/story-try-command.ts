import type { Command } from 'commander';
import { createSecretScrubber } from '../../../../language/face.js';
import { trialText, hasFailedTrial, presentTrialReport, scrubStrings } from '../../../../trial/face.js';
import type { Cli } from '../../cli.js';
import { type TryOptions, tryStory } from '../../try-story.js';

/** `story try`: runs a story in this process and shows what it does. Needs no database. */
export function addStoryTry(story: Command, cli: Cli): void {
  story
    .command('try')
    .description('run a story without a database and show what it does; exit code 1 if the run fails')
    .argument('<file>', 'export or import body; - for standard input')
    .option('--event <file>', 'JSON: the body for a webhook, or the input of another action (default: {})')
    .option('--start <action>', 'action to start at (default: the first action of a manual run)')
    .option('--header <header>', '"name: value" header of the webhook request; repeatable', collected, [])
    .option('--answer <file>', 'JSON rules that answer HTTP requests')
    .option(
      '--record <file>',
      'send requests that match no rule, and record their responses in this file as rules',
    )
    .option('--values <file>', 'JSON: {"resources": {…}, "credentials": {…}}')
    .option('--max-events <number>', 'stop after this many events (default: RUN_EVENT_LIMIT)')
    .option('--full', 'show complete payloads, and every log line')
    .action(
      cli.offlineAction(async (options: TryOptions & { full?: boolean }, [file = '-']) => {
        const { report, credentials } = await tryStory(cli.io, file, options);
        const scrub = createSecretScrubber(credentials);
        return {
          json: scrubStrings(presentTrialReport(report), scrub),
          text: scrub(trialText(report, { full: options.full === true })),
          failed: hasFailedTrial(report),
        };
      }),
    );
}

function collected(value: string, before: string[]): string[] {
  return [...before, value];
}
