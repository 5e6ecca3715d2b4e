/** The story that the first start makes. Its call is printed there, so its runs make nobody experienced. */
export const READY_STORY = 'Demo: greet somebody';
