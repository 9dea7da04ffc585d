/** How the page treats a file. Separate from the schemas, so that worker threads start without loading the schema library. */
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
export const MAX_TEXT_BYTES = 10_485_760
