import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'

/** Bytes a second. */
const RATE = 1024 * 1024
/** A line of more characters goes in several pieces. */
const LONGEST = 64 * 1024

export interface OutputLinesDeps {
  send(line: string): Promise<void>
  /** Milliseconds from any moment on. */
  readonly now?: () => number
  readonly pause?: (milliseconds: number) => Promise<void>
}

/** Cuts output into lines as it comes, and lets no more than 1 MiB a second through, after a first one at once. */
export class OutputLines {
  readonly #send: (line: string) => Promise<void>
  readonly #now: () => number
  readonly #pause: (milliseconds: number) => Promise<void>
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #budget = RATE
  #since: number

  constructor({ send, now = () => performance.now(), pause = async (time) => await wait(time) }: OutputLinesDeps) {
    this.#send = send
    this.#now = now
    this.#pause = pause
    this.#since = now()
  }

  /** Parts come one after the other: the next one when this has resolved. */
  async take(part: Uint8Array): Promise<void> {
    const text = this.#decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length))
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    while (this.#rest.length > LONGEST) {
      const cut = this.#rest.slice(0, LONGEST).isWellFormed() ? LONGEST : LONGEST - 1
      lines.push(this.#rest.slice(0, cut))
      this.#rest = this.#rest.slice(cut)
    }
    await this.#slowDown(part.length)
    for (const line of lines) await this.#send(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  /** What stands behind the last newline. */
  async end(): Promise<void> {
    const last = this.#rest + this.#decoder.end()
    if (last !== '') await this.#send(last)
  }

  async #slowDown(bytes: number): Promise<void> {
    const now = this.#now()
    this.#budget = Math.min(RATE, this.#budget + ((now - this.#since) * RATE) / 1000) - bytes
    this.#since = now
    if (this.#budget < 0) await this.#pause((-this.#budget * 1000) / RATE)
  }
}
