import { type Static, Type } from 'typebox'
import { fail } from '../errors.ts'
import { hasControls, hasControlsBesideLines } from '../text/printable.ts'
import { counted } from '../text/units.ts'

/** What visitors of a link may do: see and download; only see; only send files; see, download and send. */
export const SHARE_KINDS = ['download', 'view', 'upload', 'both'] as const
export type ShareKind = (typeof SHARE_KINDS)[number]

/** Where files that visitors send are put: into the shared folder, a folder for each visitor, or one for each day (UTC). */
export const UPLOAD_FOLDERS = ['none', 'visitor', 'day'] as const

/** A limit: a whole number of at least 1, or 0 for none. */
const limit = (description: string) =>
  Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description}; 0 = no limit`,
  })

export const MAX_TITLE = 100
export const MAX_MESSAGE = 2000

/** What the owner of a link has chosen, besides its expiry and password. */
export const ShareTerms = Type.Object({
  allows: Type.Enum([...SHARE_KINDS], {
    default: 'download',
    description: 'What visitors may do: download, view (in the browser only), upload (and see nothing), or both',
  }),
  note: Type.String({ default: '', maxLength: 500, description: 'Only for the owner' }),
  title: Type.String({ default: '', maxLength: MAX_TITLE, description: 'Shown to visitors' }),
  message: Type.String({ default: '', maxLength: MAX_MESSAGE, description: 'Shown to visitors' }),
  maxDownloads: limit('How often files may be downloaded'),
  maxFiles: limit('How many files visitors may send'),
  maxBytes: limit('Total bytes that visitors may send'),
  maxFileBytes: limit('Bytes of one sent file'),
  types: Type.Array(Type.String({ pattern: '^[a-z0-9]{1,16}$' }), {
    default: [],
    maxItems: 50,
    description: 'File name extensions that visitors may send, such as "jpg"; empty for all',
  }),
  asksName: Type.Boolean({ default: false, description: 'Visitors must give a name before they send files' }),
  folders: Type.Enum([...UPLOAD_FOLDERS], {
    default: 'none',
    description: 'Puts sent files into a folder for each visitor, who must then give a name, or for each day',
  }),
})
export type ShareTerms = Static<typeof ShareTerms>

/** The terms of a link without others: visitors see and download. */
export const PLAIN_TERMS: ShareTerms = {
  allows: 'download',
  note: '',
  title: '',
  message: '',
  maxDownloads: 0,
  maxFiles: 0,
  maxBytes: 0,
  maxFileBytes: 0,
  types: [],
  asksName: false,
  folders: 'none',
}

/** Absent fields stay as they are. */
export const ShareTermsChange = Type.Partial(ShareTerms, { additionalProperties: false })
export type ShareTermsChange = Static<typeof ShareTermsChange>

/** A file that a visitor has begun to send, or has sent. It counts towards the limits from its beginning. */
export const Arrival = Type.Object({
  /** The id of the upload. Anyone who knows it may see the receipt and, for half an hour, remove the file. */
  id: Type.String({ pattern: '^[\\w-]{16}$' }),
  /** The name that the visitor gave it. It may be stored under another one, if this one was taken. */
  name: Type.String({ maxLength: 255 }),
  /** The name of the visitor; "" if the link did not ask for it. */
  from: Type.String({ maxLength: 100 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Unix seconds. */
  begun: Type.Integer({ minimum: 0 }),
  /** Tells the addresses of visitors apart, without naming them. */
  sender: Type.Optional(Type.String({ maxLength: 64 })),
  /** Set once the file is complete. */
  file: Type.Optional(
    Type.Object({
      /** Unix seconds. */
      arrived: Type.Integer({ minimum: 0 }),
      /** In the owner's scope. */
      path: Type.String({ maxLength: 4096 }),
      /** Identifies the file: another one that takes its name is neither described nor removed. */
      device: Type.String({ maxLength: 64 }),
      inode: Type.String({ maxLength: 128 }),
      birth: Type.String({ maxLength: 64 }),
      /** Time and content of what was sent. Without it, as after a crash, it is not known whether the owner has edited the file. */
      stamp: Type.Optional(Type.String({ maxLength: 64 })),
      sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    }),
  ),
})
export type Arrival = Static<typeof Arrival>

/** Arrivals of one link that are remembered. Beyond that, old complete ones are forgotten, but still counted. */
const MAX_ARRIVALS = 500

/** Seconds in which visitors may remove what they sent. */
export const REMOVAL_PERIOD = 30 * 60

/** A file that a visitor sent, as the owner sees it. */
export const ArrivalView = Type.Object({
  path: Type.String({ description: "Where it was put, in the owner's scope" }),
  name: Type.String({ description: 'As the visitor calls it' }),
  from: Type.String({ description: 'Who sent it, as they call themselves; "" if unknown' }),
  size: Type.Integer(),
  arrived: Type.Integer({ description: 'Unix seconds' }),
  sha256: Type.Union([Type.String(), Type.Null()], { description: 'Null until it was computed for the receipt' }),
})
export type ArrivalView = Static<typeof ArrivalView>

/** What a visitor gets for a file. */
export const Receipt = Type.Object({
  name: Type.String({ description: 'As the visitor calls it' }),
  size: Type.Integer(),
  sha256: Type.Union([Type.String(), Type.Null()], { description: 'Null if the file has been changed or moved since' }),
  arrived: Type.Integer({ description: 'Unix seconds' }),
  removableUntil: Type.Integer({ description: 'Unix seconds; until then DELETE removes the file' }),
})
export type Receipt = Static<typeof Receipt>

/** What a link is for, as its visitors see it. */
export const LinkView = Type.Object({
  allows: ShareTerms.properties.allows,
  title: Type.String(),
  message: Type.String(),
  expire: Type.Integer({ description: 'Unix seconds; 0 = permanent' }),
  asksName: Type.Boolean(),
  types: ShareTerms.properties.types,
  maxFileBytes: ShareTerms.properties.maxFileBytes,
  filesLeft: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for no limit' }),
  bytesLeft: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for no limit' }),
  downloadsLeft: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for no limit' }),
  token: Type.Optional(Type.String({ description: 'Instead of the password from now on' })),
})
export type LinkView = Static<typeof LinkView>

export function receivesFiles({ allows }: Pick<ShareTerms, 'allows'>): boolean {
  return allows === 'upload' || allows === 'both'
}

/** Whether visitors may download. */
export function givesFiles({ allows }: Pick<ShareTerms, 'allows'>): boolean {
  return allows === 'download' || allows === 'both'
}

/** Whether visitors must give a name. */
export function needsName({ asksName, folders }: Pick<ShareTerms, 'asksName' | 'folders'>): boolean {
  return asksName || folders === 'visitor'
}

/** What visitors have sent or are sending. */
export interface Received {
  readonly files: number
  readonly bytes: number
}

/**
 * @param length of a new file, in bytes
 * @throws INVALID_INPUT for a type that the link does not allow; TOO_LARGE if one of the limits would be exceeded
 */
export function requireWithinTerms(terms: ShareTerms, received: Received, name: string, length: number): void {
  const { types, maxFileBytes, maxFiles, maxBytes } = terms
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (types.length > 0 && !types.includes(extension)) {
    fail('INVALID_INPUT', `this link takes only files of these types: ${types.join(', ')}`, { field: 'types' })
  }
  if (maxFileBytes > 0 && length > maxFileBytes) {
    fail('TOO_LARGE', `this link takes no file larger than ${maxFileBytes} bytes`, { field: 'maxFileBytes' })
  }
  if (maxFiles > 0 && received.files >= maxFiles) {
    fail('TOO_LARGE', 'this link takes no more files', { field: 'maxFiles' })
  }
  if (maxBytes > 0 && received.bytes + length > maxBytes) {
    const remaining = Math.max(0, maxBytes - received.bytes)
    fail('TOO_LARGE', `this link takes only ${counted(remaining, 'more byte')}`, { field: 'maxBytes' })
  }
}

/**
 * Title and message are shown to visitors, the note also in terminals.
 *
 * @throws INVALID_INPUT for control characters, which could forge what is around them
 */
export function requireShownTexts({ title = '', message = '', note = '' }: ShareTermsChange): void {
  if (hasControls(title)) fail('INVALID_INPUT', 'the title cannot contain control characters', { field: 'title' })
  for (const [field, text] of Object.entries({ message, note }))
    if (hasControlsBesideLines(text))
      fail('INVALID_INPUT', `the ${field} cannot contain control characters other than line breaks`, { field })
}

/** Whether an address has the length of random ones. */
export function isLikeRandom(slug: string): boolean {
  return slug.length === 16
}

/** Chosen addresses of links: letters, digits, "-" and "_". */
const SLUG = '^[A-Za-z0-9][A-Za-z0-9_-]{2,62}$'
export const Slug = Type.String({ pattern: SLUG, description: 'A chosen address instead of an unguessable one' })

/** @throws INVALID_INPUT */
export function requireSlug(text: string): void {
  // Visitors know random addresses, and could choose that of a link that has ended.
  if (isLikeRandom(text))
    fail('INVALID_INPUT', 'an address of 16 characters could be a random one; make it shorter or longer', {
      field: 'slug',
    })
  if (!new RegExp(SLUG).test(text)) {
    fail('INVALID_INPUT', 'the address must have 3 to 63 letters, digits, "-" or "_"', { field: 'slug' })
  }
}

/**
 * The arrivals that a link remembers. Beyond the maximum, the oldest complete ones of the sender with the most are forgotten, so
 * that one visitor who sends many empty files cannot push out the receipts of the others.
 */
export function rememberedArrivals(all: readonly Arrival[]): Arrival[] {
  const bySender = new Map<string, Arrival[]>()
  const complete = all.filter(({ file }) => file !== undefined)
  for (const arrival of complete) {
    const { sender = '' } = arrival
    bySender.set(sender, [...(bySender.get(sender) ?? []), arrival])
  }
  const forgotten = new Set<Arrival>()
  while (complete.length - forgotten.size > MAX_ARRIVALS) {
    const [most = []] = [...bySender.values()].toSorted((a, b) => b.length - a.length)
    const oldest = most.shift()
    if (oldest !== undefined) forgotten.add(oldest)
  }
  return all.filter((arrival) => !forgotten.has(arrival))
}
