import type { ActiveStory } from '../../../../../clients/typescript/api.js';

/** Slugs of the ready stories. The rest of the gallery is loaded when it is opened. */
const slugs = new Set(
  Object.values(
    import.meta.glob<string>('../../../../../assets/gallery/*/story.json', {
      import: 'gallery_slug',
      eager: true,
    }),
  ),
);

/** Returns the slug of the ready story that a story was made of; undefined for one that this gallery lacks. */
export function sampleSlugOf({ gallery_slug: slug }: Pick<ActiveStory, 'gallery_slug'>): string | undefined {
  return slug !== null && slugs.has(slug) ? slug : undefined;
}
