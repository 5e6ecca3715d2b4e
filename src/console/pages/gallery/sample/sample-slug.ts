/** Descriptions of the ready stories, by path. The rest of the gallery is loaded when it is opened. */
const descriptions: Record<string, string> = import.meta.glob('../../../../../assets/gallery/*/story.json', {
  import: 'description',
  eager: true,
});

/** Returns the ready story that a story was made of, which has the same description; undefined for any other. */
export function sampleSlugOf({ description }: { description: string | null }): string | undefined {
  const path = Object.keys(descriptions).find((each) => descriptions[each] === description);
  return path?.split('/').at(-2);
}
