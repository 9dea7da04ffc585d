import { fail } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/upload.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Records } from '../../store/store.ts'

const MOST_OF_USER = 32
const MOST_OF_ALL = 1000
/** How long a finished upload is remembered, in milliseconds. */
const REMEMBERED = 60 * 60 * 1000

/** What an upload is found by: its address is the path of the file. */
export type UploadKey = Pick<UploadRecord, 'userId' | 'scope' | 'path'>

export function keyOf({ userId, scope, path }: UploadKey): string {
  return [userId, scope, path].join('\0')
}

/** The records of unfinished uploads, and the memory of those that have just been finished. */
export class OpenUploads {
  readonly #records: Records<UploadRecord>
  readonly #clock: Clock
  #loading: Promise<Map<string, UploadRecord>> | undefined
  /** Length and time by key, the oldest first. */
  readonly #finished = new Map<string, { length: number; time: number }>()

  constructor(records: Records<UploadRecord>, clock: Clock) {
    this.#records = records
    this.#clock = clock
  }

  async all(): Promise<UploadRecord[]> {
    return [...(await this.#byKey()).values()]
  }

  async find(key: UploadKey): Promise<UploadRecord | undefined> {
    return (await this.#byKey()).get(keyOf(key))
  }

  /** @throws RATE_LIMITED when there are too many, not counting the one that this would replace */
  async requireRoom(key: UploadKey): Promise<void> {
    const others = (await this.all()).filter((record) => keyOf(record) !== keyOf(key))
    const own = others.filter(({ userId }) => userId === key.userId).length
    if (own >= MOST_OF_USER || others.length >= MOST_OF_ALL)
      fail('RATE_LIMITED', 'too many uploads are unfinished: finish or cancel some first', { retryAfter: 60 })
  }

  async add(record: UploadRecord): Promise<void> {
    const byKey = await this.#byKey()
    await this.#records.put(record)
    byKey.set(keyOf(record), record)
    this.#finished.delete(keyOf(record))
  }

  async drop(record: UploadRecord): Promise<void> {
    const byKey = await this.#byKey()
    await this.#records.remove(record.id)
    if (byKey.get(keyOf(record))?.id === record.id) byKey.delete(keyOf(record))
  }

  /** A client that lost the last answer asks again: it must not take the file that it made for another one. */
  rememberFinished(key: UploadKey, length: number): void {
    const now = this.#clock.now()
    for (const [old, { time }] of this.#finished) {
      if (now - time < REMEMBERED) break
      this.#finished.delete(old)
    }
    this.#finished.delete(keyOf(key))
    this.#finished.set(keyOf(key), { length, time: now })
  }

  /** Length in bytes of an upload that was finished within the last hour. */
  finishedLength(key: UploadKey): number | undefined {
    const found = this.#finished.get(keyOf(key))
    return found !== undefined && this.#clock.now() - found.time < REMEMBERED ? found.length : undefined
  }

  #byKey(): Promise<Map<string, UploadRecord>> {
    this.#loading ??= this.#records
      .list()
      .then((records) => new Map(records.map((record) => [keyOf(record), record])))
      .catch((error: unknown) => {
        this.#loading = undefined
        throw error
      })
    return this.#loading
  }
}
