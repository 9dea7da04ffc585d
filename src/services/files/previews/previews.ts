import { setTimeout } from 'node:timers'
import type { Actor, Visitor } from '../../../domain/accounts/actor.ts'
import { servedPathIn } from '../../../domain/server/root.ts'
import { type ErrorCode, FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { IMAGE_HEAD_BYTES } from '../../../domain/files/media/image-head.ts'
import { mediaTypeOf } from '../../../domain/files/media/media-type.ts'
import { TEXT_HEAD_BYTES, textPicture, withoutCutCharacter } from '../../../domain/files/media/text-picture.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { below, nameOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { ByteCache, CacheKey } from '../../../platform/cache/byte-cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { ForeignDecoders, ForeignKind } from '../../../platform/images/foreign-decoders.ts'
import type { Images, PictureOrder } from '../../../platform/images/image-processes.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { SingleFlight } from '../../../platform/cache/single-flight.ts'
import type { ReadOptions, TextReader } from '../../../platform/text/text-reader.ts'
import type { OpenFile } from '../../../storage/open-file.ts'
import type { AccessService } from '../../access/access.ts'
import type { FileChanges } from '../../access/file-changes.ts'
import { openFile } from '../open-file.ts'
import { readInnerText } from './inner-picture.ts'
import { foreignOrder, innerOrder, pictureOrder } from './picture-order.ts'
import {
  DRAWING,
  embeddedPicture,
  type PicturePlan,
  planPreview,
  previewGroup,
  previewKey,
  previewVariant,
  type PreviewVariant,
} from './preview-plan.ts'

export interface PreviewsDeps {
  readonly access: AccessService
  readonly options: Pick<ServerOptions, 'disableThumbnails' | 'disablePreviewResize'>
  readonly changes: FileChanges
  readonly images: Images
  /** External programs, for videos, HEIF pictures and PDF. */
  readonly foreign: ForeignDecoders
  readonly texts: TextReader
  readonly cache: ByteCache
  readonly clock: Clock
  readonly log: Logger
}

export interface PreviewQuery {
  /** "thumb" or "big". */
  readonly size: string
  /** Media types that the client accepts. */
  readonly accept?: string | undefined
  /** The most pixels of a side. With it, nothing is sent as it is. */
  readonly maxSide?: number | undefined
}

/** A preview of a file. Dispose of it when it has been sent. */
export type Preview = AsyncDisposable & { readonly name: string } & (
    { readonly kind: 'none' } | { readonly kind: 'original'; readonly file: OpenFile } | SmallPicture
  )

interface SmallPicture {
  readonly kind: 'picture'
  /** The modification time of the file, in nanoseconds since 1970. */
  readonly modified: bigint
  /** Changes with the state of the file and the kind of preview. */
  readonly id: string
  /** Undefined for the type that the file name implies. */
  readonly mediaType: string | undefined
  /** Call it only once. @throws UNSUPPORTED for what cannot be decoded, TOO_LARGE, BUSY, CANCELLED, NOT_IMPLEMENTED */
  bytes(signal?: AbortSignal): Promise<Uint8Array>
}

interface PictureRequest {
  readonly file: OpenFile
  readonly plan: PicturePlan
  readonly variant: PreviewVariant
  /** `FileAccess.countsAs` of the first caller. */
  readonly owner: string
}

/** Milliseconds between a change of files and the removal of their previews. */
const DROP_DELAY = 10_000

/** Previews. Permissions and rules are checked first, then the cache, and only then is a preview made. */
export function createPreviews(deps: PreviewsDeps) {
  const { access, options, changes, images, foreign, texts, cache, clock, log } = deps
  const flights = new SingleFlight<Uint8Array>()
  const failures = new KnownFailures(clock)
  let isCacheFailing = false

  /** Files that were changed lately, in the served folder. */
  let changed = new Set<VirtualPath>()

  changes.subscribe(({ user, ...change }) => {
    // Previews of files in a changed folder age out; until then they are unreachable, because their paths are gone.
    changed.add(servedPathIn(user, change.kind === 'moved' ? change.from : change.path))
    // Later, and for many files at once: their previews are unreachable, too.
    if (changed.size === 1) setTimeout(() => void unlessCacheFails(dropChanged), DROP_DELAY).unref()
  })

  async function dropChanged(): Promise<void> {
    const groups = new Set(Array.from(changed, previewGroup))
    changed = new Set()
    await cache.drop(groups)
  }

  /** A failing cache, such as on a full disk, must not prevent previews. */
  async function unlessCacheFails<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      isCacheFailing = false
      return result
    } catch (error) {
      if (!isCacheFailing) log.warn({ err: error }, 'the thumbnail cache does not work')
      isCacheFailing = true
      return undefined
    }
  }

  async function make(key: CacheKey, request: PictureRequest, signal: AbortSignal): Promise<Uint8Array> {
    // Disposed of here: the first caller may leave while others wait.
    await using file = request.file
    const { plan, variant } = request
    const kind = plan.foreign
    try {
      const head = await file.head(IMAGE_HEAD_BYTES)
      const embedded = variant.takesEmbedded && kind === undefined ? embeddedPicture(head) : undefined
      if (embedded !== undefined) return embedded
      const { bytes } = await images.make({ ...orderOf(request, head, signal), owner: request.owner })
      await unlessCacheFails(async () => await cache.put(key, bytes))
      return bytes
    } catch (thrown) {
      const error = isPicture(file) ? thrown : noPicture(thrown)
      failures.note(key.name, error)
      throw error
    }
  }

  function orderOf({ file, plan, variant }: PictureRequest, head: Uint8Array, signal: AbortSignal): PictureOrder {
    const { task } = variant
    if (plan.foreign !== undefined) return foreignOrder({ file, head, kind: plan.foreign }, foreign, task, signal)
    return plan.isInner ? innerOrder(file, task, signal) : pictureOrder({ file, head, part: plan.part }, task, signal)
  }

  async function startOf(file: OpenFile, options: ReadOptions): Promise<string> {
    const head = await file.head(TEXT_HEAD_BYTES)
    return (await texts.read(file.size > head.length ? withoutCutCharacter(head) : head, undefined, options)).text
  }

  return {
    /** Whether thumbnails of this kind of file can be made. */
    async shows(kind: ForeignKind): Promise<boolean> {
      return !options.disableThumbnails && (await foreign.canDecode(kind))
    },

    /** @throws NOT_PERMITTED_HERE before anything else, INVALID_INPUT for an unknown size, FORBIDDEN, NOT_FOUND */
    async open(actor: Actor | Visitor, text: string, { size, accept, maxSide }: PreviewQuery): Promise<Preview> {
      using files = await access.at(actor, text)
      const { path } = files
      files.require('previews.get', path)
      const variant = previewVariant(size, accept, maxSide)
      files.requireAllowed(path)
      const file = await openFile(files, path)
      if (file === undefined) return { kind: 'none', name: nameOf(path), [Symbol.asyncDispose]: async () => undefined }

      await using resources = new AsyncDisposableStack()
      resources.use(file)
      const { name } = file
      const isEnabled = !(variant.size === 'thumb' ? options.disableThumbnails : options.disablePreviewResize)
      // A small text is told as a whole by its first lines.
      const showsTexts = variant.takesDrawings && maxSide === undefined
      const plan = await planPreview(file, { isEnabled, showsTexts, foreign })
      const owned = resources.move()
      const common = { name, [Symbol.asyncDispose]: async () => await owned.disposeAsync() }
      if (plan.kind === 'none' || (plan.kind === 'original' && maxSide !== undefined))
        return { ...common, kind: 'none' }
      if (plan.kind === 'original') return { ...common, kind: 'original', file }

      const servedPath = servedPathIn(files.user, below(files.view('/').rulePrefix, path))
      const cut = plan.kind === 'resize' && size === 'thumb' ? plan.frame : undefined
      const task = cut === undefined ? variant.task : { ...variant.task, frame: cut }
      const key = previewKey(previewGroup(servedPath), file, task)
      const picture = { ...common, kind: 'picture', modified: file.modified, id: key.name } as const
      const owner = files.countsAs
      if (plan.kind === 'lines') {
        const bytes = async (signal?: AbortSignal) => {
          try {
            const text = plan.isInner ? readInnerText(file, signal) : startOf(file, { signal, owner })
            return Buffer.from(textPicture(await text))
          } catch (error) {
            throw noPicture(error)
          }
        }
        return { ...picture, mediaType: DRAWING, bytes }
      }
      return {
        ...picture,
        // The picture of a video is not a video.
        mediaType: variant.mediaType ?? (isPicture(file) && !plan.part && !plan.foreign ? undefined : 'image/jpeg'),
        async bytes(signal) {
          const kept = await unlessCacheFails(async () => await cache.get(key))
          if (kept !== undefined) return kept
          failures.check(key.name)
          const start = async (common: AbortSignal) => {
            // From here on, `make` disposes of the file.
            owned.move()
            return await make(key, { file, plan, variant: { ...variant, task }, owner }, common)
          }
          return await flights.run(key.name, start, signal)
        },
      }
    },
  }
}

function isPicture({ name }: OpenFile): boolean {
  return mediaTypeOf(name)?.startsWith('image') === true
}

/** Reports a video, song or document without a usable picture like any file type that has no previews. */
function noPicture(error: unknown): unknown {
  if (!isFilemgrError(error) || !NO_PICTURE.has(error.code)) return error
  return new FilemgrError('NOT_IMPLEMENTED', 'no picture can be made of this file', {}, { cause: error })
}

const NO_PICTURE: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED', 'TOO_LARGE', 'INVALID_INPUT'])

const MAX_REMEMBERED = 2000

/** Milliseconds until a failed file is tried again: the machine may have been too slow. */
const LIFETIME = 10 * 60 * 1000

/** Errors caused by the file. After any other, such as BUSY or CANCELLED, the next attempt may succeed. */
const REMEMBERED: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED', 'TOO_LARGE', 'NOT_IMPLEMENTED'])

/** Remembers files that could not be decoded, so that a folder of decompression bombs costs CPU time once, not at each view. */
class KnownFailures {
  readonly #clock: Clock
  readonly #failures = new Map<string, { readonly error: FilemgrError; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws the remembered error */
  check(name: string): void {
    const known = this.#failures.get(name)
    if (known === undefined) return
    if (known.until < this.#clock.now()) this.#failures.delete(name)
    else throw new FilemgrError(known.error.code, known.error.message)
  }

  note(name: string, error: unknown): void {
    if (!isFilemgrError(error) || !REMEMBERED.has(error.code)) return
    this.#failures.set(name, { error, until: this.#clock.now() + LIFETIME })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_REMEMBERED && oldest !== undefined) this.#failures.delete(oldest)
  }
}
