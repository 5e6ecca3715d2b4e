import { type GalleryFiles, type GalleryStory, readGalleryStory } from './gallery-story.js';

/** Texts of all files, by path. They stand in the script of the gallery, which is loaded when it is first opened. */
const texts: GalleryFiles = import.meta.glob(
  '../../../../assets/gallery/*/{story,event,answers,values,about}.json',
  { query: '?raw', import: 'default', eager: true },
);

/** THE ready stories, by name. */
export const GALLERY: readonly GalleryStory[] = [...byFolder()]
  .map(([slug, files]) => readGalleryStory(slug, files))
  .toSorted((one, other) => one.story.name.localeCompare(other.story.name, 'en'));

function byFolder(): Map<string, GalleryFiles> {
  const folders = new Map<string, GalleryFiles>();
  for (const [path, text] of Object.entries(texts)) {
    const [slug = '', file = ''] = path.split('/').slice(-2);
    folders.set(slug, { ...folders.get(slug), [file]: text });
  }
  return folders;
}
