import { RunList } from '../../runs/runs-page.js';
import { viewPath } from '../story-address.js';
import type { TabProps } from './tab-props.js';

/** The runs of the story. */
export function RunsTab({ story: { id } }: TabProps) {
  return <RunList of={{ storyId: id, base: viewPath(id, 'runs') }} />;
}
