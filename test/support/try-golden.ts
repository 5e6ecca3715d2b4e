import { createSilentLogger } from '../../src/platform/logger.js';
import { readExport } from '../../src/stories/check/story-checker.js';
import type { ImportRequest } from '../../src/stories/import/import-request.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { parseAnswerRules } from '../../src/trial/answers/answer-rules.js';
import { createAnsweredClient, createSilentClient } from '../../src/trial/answers/answered-client.js';
import { createNamedTrialValues } from '../../src/trial/memory/named-trial-values.js';
import { runTrial } from '../../src/trial/run-trial.js';
import { entriesOf, mailOf, type TrialReport } from '../../src/trial/report/trial-report.js';
import type { GoldenFile } from './golden.js';

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };

/** The export with this text, as an import takes it. */
export function requestOf(text: string): ImportRequest {
  const { request, refusals } = readExport(text);
  if (request === undefined) throw new Error(JSON.stringify(refusals));
  return request;
}

/** The run of a golden file, with the code of `fabula story try`. */
export function tryGolden(
  request: ImportRequest,
  { start, values, answers }: GoldenFile,
): Promise<TrialReport> {
  return runTrial(
    request,
    { agent: start.agent, payload: start.payload, headers: start.headers ?? {} },
    {
      languages,
      createHttp: (onUnanswered) =>
        createAnsweredClient(parseAnswerRules(answers), createSilentClient(onUnanswered)),
      createValues: (graphs, onMissing) =>
        createNamedTrialValues(
          { resources: values.resources ?? {}, credentials: values.credentials ?? {} },
          graphs,
          onMissing,
        ),
      limits: { maxAttempts: 10, maxDepth: 20_000, maxCallDepth: 10, maxEvents: 20_000 },
      domain: 'localhost',
      baseUrl: 'http://localhost:3000',
      logger: createSilentLogger(),
    },
  );
}

/** This run in the form of a golden file. */
export function cameOf(report: TrialReport, { exits, mails }: GoldenFile) {
  const reached = new Set(entriesOf(report, 'event').map(({ agent }) => agent));
  return {
    requests: entriesOf(report, 'request').map(({ method, url, body }) => ({
      method,
      url,
      ...(body !== undefined && { body }),
    })),
    // A file may leave out of a mail what it does not care about.
    mails: entriesOf(report, 'mail').map(({ mail }, index) =>
      Object.fromEntries(
        Object.entries(mailOf(mail)).filter(([key]) => mails[index] === undefined || key in mails[index]),
      ),
    ),
    events: entriesOf(report, 'event').map(({ agent, payload }) => ({ agent, payload })),
    exits: exits.filter((name) => reached.has(name)),
    deadLetters: entriesOf(report, 'dead_letter').map(({ agent, error }) => ({ agent, error })),
  };
}
