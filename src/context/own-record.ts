import { rm } from 'node:fs/promises'
import { writeAtomic } from '../store/disk/atomic-file.ts'
import { diskFailure } from '../store/disk/disk.ts'
import { servicePid } from '../platform/processes/member.ts'
import { type DaemonRecord, recordPath } from './daemon-record.ts'

/** The daemon's own record, which other processes read while it runs. Only for the holder of the data lock. */
export class OwnRecord implements AsyncDisposable {
  readonly #folder: string
  #record: DaemonRecord
  #written: Promise<void> = Promise.resolve()

  private constructor(folder: string, version: string) {
    this.#folder = folder
    this.#record = { pid: servicePid(), url: '', version, started: new Date().toISOString() }
  }

  static async write(folder: string, version: string): Promise<OwnRecord> {
    const record = new OwnRecord(folder, version)
    await record.publish({})
    return record
  }

  async publish(
    facts: Partial<Pick<DaemonRecord, 'url' | 'learnedUrl' | 'root' | 'conditions' | 'inForce'>>,
  ): Promise<void> {
    this.#record = { ...this.#record, ...facts }
    const writing = this.#written.then(async () => await this.#write())
    this.#written = writing.catch(() => undefined)
    await writing
  }

  async #write(): Promise<void> {
    const path = recordPath(this.#folder)
    try {
      await writeAtomic(path, Buffer.from(JSON.stringify(this.#record)), { durable: false })
    } catch (error) {
      throw diskFailure(error, path, 'saved')
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#written
    await rm(recordPath(this.#folder), { force: true })
  }
}
