import { type BigIntStats, constants } from 'node:fs'
import { looksBinary, mediaTypeOf, resourceTypeOf, sniff } from '../domain/files/media/media-type.ts'
import type { ResourceType } from '../domain/files/resource-type.ts'

/** The type bits and permissions of Go's os.FileMode, which clients expect. */
const GO_FOLDER = 2 ** 31
const GO_LINK = 2 ** 27
const GO_DEVICE = 2 ** 26
const GO_PIPE = 2 ** 25
const GO_SOCKET = 2 ** 24
const GO_CHARACTER_DEVICE = 2 ** 21

const GO_KINDS: Readonly<Record<number, number>> = {
  [constants.S_IFDIR]: GO_FOLDER,
  [constants.S_IFLNK]: GO_LINK,
  [constants.S_IFIFO]: GO_PIPE,
  [constants.S_IFSOCK]: GO_SOCKET,
  [constants.S_IFBLK]: GO_DEVICE,
  [constants.S_IFCHR]: GO_DEVICE + GO_CHARACTER_DEVICE,
}
const GO_SET_USER = 2 ** 23
const GO_SET_GROUP = 2 ** 22
const GO_STICKY = 2 ** 20

/** Mode bits for the wire, with Go's type and special bits. */
export function goMode(stats: BigIntStats): number {
  const mode = Number(stats.mode)
  const kind = GO_KINDS[mode & constants.S_IFMT] ?? 0
  const special =
    (mode & 0o4000 ? GO_SET_USER : 0) + (mode & 0o2000 ? GO_SET_GROUP : 0) + (mode & 0o1000 ? GO_STICKY : 0)
  return kind + special + (mode & 0o777)
}

interface TypedFile {
  readonly name: string
  readonly size: number
  /** First bytes, called only if the name is not enough. Undefined if the file must not be opened or cannot be read. */
  readonly start: () => Uint8Array | undefined
  readonly canModify: boolean
}

/** The type of a regular file by its name, or else by its first bytes. */
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

/** Whether only the content of a regular file tells its type. */
export function needsContent(name: string, size: number): boolean {
  let isAsked = false
  const start = () => {
    isAsked = true
    return undefined
  }
  typeOfFile({ name, size, start, canModify: true })
  return isAsked
}

function isText(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && !looksBinary(bytes)
}
