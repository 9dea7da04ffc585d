/** What an entry is to the page. Apart from the schemas, so that worker threads start without the schema library. */
export const RESOURCE_TYPES = [
  'video',
  'audio',
  'image',
  'pdf',
  'text',
  'textImmutable',
  'blob',
  'invalid_link',
  '',
] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/** Text up to this many bytes travels in the JSON of a file; a larger one is a blob. */
export const LONGEST_TEXT = 10_485_760
