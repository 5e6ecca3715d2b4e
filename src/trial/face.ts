/* The only file of this room that others import. */
export { actionRunRoutes } from './action/action-run-routes.js';
export { parseAnswerRules } from './answers/answer-rules.js';
export { createAnsweredClient, createSilentClient } from './answers/answered-client.js';
export { createRecordingClient } from './answers/recording-client.js';
export { trialRoutes } from './api/trial-routes.js';
export type { TrialDeps } from './trial-engine.js';
export { runTrial } from './run-trial.js';
export { createNamedTrialValues, parseGivenValues } from './memory/named-trial-values.js';
export { previewRoutes } from './previews/preview-routes.js';
export { presentTrialReport } from './report/trial-presenter.js';
export { type TrialReport, hasFailedTrial } from './report/trial-report.js';
export { testRunRoutes } from './tests/api/test-run-routes.js';
export { presentTestsReport, uncoveredTexts } from './tests/present-tests.js';
export { runStoryTests, type StoryTestsReport, type TestResult } from './tests/run-tests.js';
export type { TestDeps } from './tests/test-run.js';
export { shadowRoutes } from './shadows/shadow-routes.js';
export { createShadowRunner } from './shadows/shadow-runner.js';
export { trialText } from './report/trial-text.js';
export { scrubStrings } from './report/scrub-strings.js';
export {
  createJudge,
  createTrials,
  createTrialServices,
  type Trials,
  type TrialServices,
} from './trial-services.js';
