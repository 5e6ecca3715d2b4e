/** Returns the address of the page that compares a draft with its story and publishes it. */
export function publishAddress(storyId: number, draftId: number): string {
  return `/stories/${storyId}/edit/publish?draft=${draftId}`;
}

/** Returns the address of the versions of a story, or of a draft of it. */
export function versionsAddress(storyId: number, draftId: number | undefined): string {
  return `/stories/${storyId}/edit/versions${draftId === undefined ? '' : `?draft=${draftId}`}`;
}
