import { type ComponentType, lazy } from 'react';
import { isWebhook } from '../../../story-model/entry.js';
import { countWords } from '../../../ui/words/figures.js';
import { useLetterGroups } from '../../dead-letters/letters-data.js';
import { isView, type View } from '../story-address.js';
import { type Place, useGraph, useStorySchedules } from '../story-data.js';
import { useKnownResults } from '../tests/tests-data.js';
import { CanvasTab } from './canvas-tab.js';
import type { TabProps } from './tab-props.js';

/** A tab of a story. */
export interface StoryTab {
  key: View;
  name: string;
  Content: ComponentType<TabProps>;
}

const RunsTab = lazy(async () => ({ default: (await import('./runs-tab.js')).RunsTab }));
const FailuresTab = lazy(async () => ({ default: (await import('./failures-tab.js')).FailuresTab }));
const TestsTab = lazy(async () => ({ default: (await import('./tests-tab.js')).TestsTab }));
const VersionsTab = lazy(async () => ({ default: (await import('./versions-tab.js')).VersionsTab }));
const WebhookTab = lazy(async () => ({ default: (await import('./webhook-tab.js')).WebhookTab }));
const SchedulesTab = lazy(async () => ({ default: (await import('./schedules-tab.js')).SchedulesTab }));
const SettingsTab = lazy(async () => ({ default: (await import('./settings-tab.js')).SettingsTab }));

/** Returns the tabs of what a story has, and the one that is open. */
export function useStoryTabs(place: Place, open: string): StoryTab[] {
  const { storyId } = place;
  const actions = useGraph({ storyId, draftId: undefined }).data?.actions ?? [];
  const schedules = useStorySchedules(storyId).data ?? [];
  const failures = useLetterGroups({ error: '', story: storyId, span: '', group: undefined }).data;
  const failed = failures?.groups.reduce((sum, { dead_letters: count }) => sum + count, 0) ?? 0;
  const webhooks = actions.filter(isWebhook).length;
  const results = useKnownResults(place)?.results.values() ?? [];
  const failing = [...results].filter(({ ok }) => !ok).length;
  const all: (StoryTab & { isThere?: boolean })[] = [
    { key: 'canvas', name: 'Canvas', Content: CanvasTab },
    { key: 'runs', name: 'Runs', Content: RunsTab },
    {
      key: 'failures',
      name: failed === 0 ? 'Failures' : `Failures (${countWords(failed)}${failures?.complete ? '' : '+'})`,
      Content: FailuresTab,
    },
    {
      key: 'tests',
      name: failing === 0 ? 'Tests' : `Tests (${countWords(failing)} failed)`,
      Content: TestsTab,
    },
    { key: 'versions', name: 'Versions', Content: VersionsTab },
    {
      key: 'webhook',
      name: webhooks > 1 ? 'Webhooks' : 'Webhook',
      Content: WebhookTab,
      isThere: webhooks > 0,
    },
    { key: 'schedules', name: 'Schedules', Content: SchedulesTab, isThere: schedules.length > 0 },
    { key: 'settings', name: 'Settings', Content: SettingsTab },
  ];
  return all.filter(({ key, isThere = true }) => isThere || (key === open && isView(open)));
}
