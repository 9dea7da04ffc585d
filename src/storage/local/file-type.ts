import { looksBinary, mediaTypeOf, resourceTypeOf, sniff } from '../../domain/media/media-type.ts'
import type { ResourceType } from '../../domain/resource-type.ts'
/** Types that are text although their media type does not begin with it. */
const TEXTUAL = /json|xml|yaml|toml|sql|subrip|mpegurl|postscript/

export interface TypedFile {
  readonly name: string
  readonly size: number
  /** Asked for only where the name does not tell; undefined when the file must not be opened or cannot be read. */
  readonly start: () => Uint8Array | undefined
  readonly canModify: boolean
}

/** The type of a regular file by its name, else by its first bytes. */
export function typeOfFile({ name, size, start, canModify }: TypedFile): ResourceType {
  const promised = mediaTypeOf(name)
  let bytes: Uint8Array | undefined
  let isAsked = false
  const ask = () => {
    if (!isAsked) bytes = start()
    isAsked = true
    return bytes
  }
  if (promised === undefined && ask() === undefined) return 'blob'
  return resourceTypeOf(promised ?? sniff(bytes ?? new Uint8Array()), size, () => isText(ask()), canModify)
}

/** The type as far as the name tells; an unknown one is taken for text. */
export function typeByName(name: string, size: number): ResourceType {
  const promised = mediaTypeOf(name)
  return resourceTypeOf(promised ?? '', size, () => promised === undefined || TEXTUAL.test(promised))
}

function isText(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && !looksBinary(bytes)
}
