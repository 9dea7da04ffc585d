import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { subtitleConverter } from '../../domain/files/subtitles/convert.ts'
import { isSubtitle } from '../../domain/files/media/media-type.ts'
import type { ReadOptions, TextReader } from '../../platform/text/text-reader.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import type { AccessService } from '../access/access.ts'
import { bytesOf, openFile } from './open-file.ts'

/** Subtitles as WebVTT. Dispose of them when they have been sent. */
export interface Subtitles extends AsyncDisposable {
  readonly file: OpenFile
  /**
   * Undefined where the file is sent as it is.
   *
   * @throws UNSUPPORTED for a text without any subtitle, TOO_LARGE, CANCELLED
   */
  converted(signal?: AbortSignal): Promise<Uint8Array | undefined>
}

const MAX_SIZE = 5 * 1024 * 1024
/** Subtitles converted before the event loop gets a turn: a long film must not block other users. */
const BATCH_SIZE = 500
/** A file that will be filled later, or whose video has nothing to read. */
const NO_SUBTITLES = 'WEBVTT\n'

export function createSubtitles({ access, texts }: { readonly access: AccessService; readonly texts: TextReader }) {
  return {
    /** @throws NOT_PERMITTED_HERE before anything is said about the path, FORBIDDEN, NOT_FOUND; INVALID_INPUT for other files */
    async open(actor: Actor | Visitor, text: string): Promise<Subtitles> {
      using files = await access.at(actor, text)
      const { path } = files
      files.require('subtitles.get', path)
      files.requireAllowed(path)
      await using resources = new AsyncDisposableStack()
      const file = await openFile(files, path)
      if (file === undefined || !isSubtitle(file.name))
        return fail('INVALID_INPUT', 'these are no subtitles', { terse: true })
      resources.use(file)
      const owned = resources.move()
      const owner = files.countsAs
      return {
        file,
        converted: async (signal) => await convert(file, texts, { signal, owner }),
        [Symbol.asyncDispose]: async () => await owned.disposeAsync(),
      }
    },
  }
}

async function convert(file: OpenFile, texts: TextReader, options: ReadOptions): Promise<Uint8Array | undefined> {
  const converter = subtitleConverter(file.name)
  if (converter === undefined && file.size > MAX_SIZE) return undefined
  const { text, encoding } = await texts.read(await bytesOf(file, MAX_SIZE), undefined, options)
  if (text.trim() === '') return Buffer.from(NO_SUBTITLES)
  if (converter === undefined) return encoding.startsWith('utf-8') ? undefined : Buffer.from(text)
  let result = ''
  let count = 0
  for (const part of converter(text)) {
    result += part
    count += 1
    if (count % BATCH_SIZE !== 0) continue
    await yieldToEventLoop()
    throwIfCancelled(options.signal)
  }
  if (result === '') fail('UNSUPPORTED', 'no subtitles were found in the file')
  return Buffer.from(result)
}
