/** A value that a story of the gallery names, and that the team must have. */
export interface Need {
  kind: 'resource' | 'credential';
  name: string;
  means: string;
  sample: unknown;
}

/** The parts of an export that the gallery reads. */
export interface GalleryExport {
  name: string;
  description: string;
  tags: string[];
  agents: { name: string; type: string; guid: string; schedule: unknown }[];
  links: { source: number; receiver: number; link_type?: string }[];
  diagram_layout: string;
  diagram_notes: { content: string; position: [number, number] }[];
}

/** A ready story. */
export interface GalleryStory {
  /** The name of its folder, which stands in addresses. */
  slug: string;
  /** The export as text, which is what an import gets. */
  text: string;
  story: GalleryExport;
  needs: Need[];
  /** The sample event as text: the body of a call of its webhook, if it begins with one. */
  event: string;
  /** Rules for a trial, which answer in place of other servers. */
  answers: object[];
}

/** The files of a folder of the gallery, as text, by their names. */
export type GalleryFiles = Record<string, string>;

/** Reads a ready story. @throws Error for a file that is absent or no JSON; the build of the console has them all. */
export function readGalleryStory(slug: string, files: GalleryFiles): GalleryStory {
  const textOf = (name: string) => files[name] ?? fail(`${slug} lacks ${name}`);
  const { resources, credentials } = JSON.parse(textOf('values.json')) as Values;
  const { needs } = JSON.parse(textOf('about.json')) as { needs: Record<string, string> };
  const needOf =
    (kind: Need['kind']) =>
    ([name, sample]: [string, unknown]): Need => ({ kind, name, means: needs[name] ?? '', sample });
  return {
    slug,
    text: textOf('story.json'),
    story: JSON.parse(textOf('story.json')) as GalleryExport,
    needs: [
      ...Object.entries(resources).map(needOf('resource')),
      ...Object.entries(credentials).map(needOf('credential')),
    ],
    event: textOf('event.json').trim(),
    answers: JSON.parse(textOf('answers.json')) as object[],
  };
}

interface Values {
  resources: Record<string, unknown>;
  credentials: Record<string, string>;
}

function fail(message: string): never {
  throw new Error(message);
}

/** Whether a story begins with a call of its webhook; else it starts by its schedule. */
export function isCalled({ story }: Pick<GalleryStory, 'story'>): boolean {
  return story.agents[0]?.type === 'Agents::WebhookAgent';
}

/** Returns the stories with a tag, unless it is empty, whose name or description has the text. */
export function foundIn(stories: readonly GalleryStory[], { search, tag }: GalleryFilters): GalleryStory[] {
  const text = search.trim().toLowerCase();
  return stories.filter(
    ({ story: { name, description, tags } }) =>
      (tag === '' || tags.includes(tag)) && `${name}\n${description}`.toLowerCase().includes(text),
  );
}

/** The search; it stands in the address. */
export interface GalleryFilters {
  search: string;
  tag: string;
}
