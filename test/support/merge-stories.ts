import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { StoredStory } from '../../src/stories/export/story-export-store.js';

/** A story as tests write it: an action by its guid, links as `a b`. */
export interface Written {
  actions: Record<
    string,
    { name?: string; options?: JsonObject; position?: number[]; schedule?: JsonValue; writers?: JsonValue }
  >;
  links?: string[];
  notes?: Record<string, string>;
  settings?: JsonObject;
  description?: string;
}

/** The story as it is stored. */
export function storyOf({
  actions,
  links = [],
  notes = {},
  settings = {},
  description = '',
}: Written): StoredStory {
  const guids = Object.keys(actions);
  return {
    id: 1,
    columns: {
      name: 'Story',
      guid: 'story',
      schema_version: 20,
      keep_events_for: 0,
      description,
      disabled: false,
      priority: false,
      synchronous_webhooks_enabled: false,
    },
    extra: {
      agents: null,
      ...settings,
      diagram_notes: Object.entries(notes).map(([guid, content]) => ({ guid, content, position: [0, 0] })),
      diagram_layout: JSON.stringify(
        Object.fromEntries(guids.flatMap((guid) => [[guid, actions[guid]!.position ?? [0, 0]]])),
      ),
    },
    agents: guids.map((guid, index) => ({
      id: index + 10,
      columns: {
        type: 'Agents::EventTransformationAgent',
        name: actions[guid]!.name ?? guid,
        guid,
        disabled: false,
        options: actions[guid]!.options ?? {},
        keep_events_for: 0,
      },
      extra: {
        name: null,
        ...(actions[guid]!.writers !== undefined && { record_writers: actions[guid]!.writers }),
        ...(actions[guid]!.schedule !== undefined && { schedule: actions[guid]!.schedule }),
      },
    })),
    links: links.map((link) => {
      const [source, receiver] = link.split(' ').map((guid) => guids.indexOf(guid) + 10);
      return { sourceId: source!, receiverId: receiver!, linkType: null, extra: { source: null } };
    }),
  };
}

/** The story with the guids of links' ends in place of ids. */
export const withoutIds = ({ agents, links, ...story }: StoredStory) => {
  const guids = new Map(agents.map(({ id, columns }) => [id, columns.guid as string]));
  return {
    ...story,
    agents: agents.map(({ columns, extra }) => ({ columns, extra })),
    links: links.map((link) => ({
      ...link,
      sourceId: guids.get(link.sourceId),
      receiverId: guids.get(link.receiverId),
    })),
  };
};

/** The links of a story as `a b`. */
export const linksIn = (story: StoredStory) =>
  withoutIds(story).links.map(({ sourceId, receiverId }) => `${sourceId} ${receiverId}`);
