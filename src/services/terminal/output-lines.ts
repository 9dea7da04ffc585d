import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import type { OutputSource } from '../../platform/process-runner.ts'

/** Bytes a second. */
const RATE = 1024 * 1024
/** A line of more characters goes in several pieces. */
const LONGEST = 64 * 1024

/** Cuts output into lines as it comes, those of both sources in the order in which they are whole, and not too fast. */
export class OutputLines {
  readonly #send: (line: string) => Promise<void>
  readonly #signal: AbortSignal
  readonly #rests: Record<OutputSource, { text: string; readonly decoder: StringDecoder }> = {
    stdout: { text: '', decoder: new StringDecoder('utf8') },
    stderr: { text: '', decoder: new StringDecoder('utf8') },
  }
  #turn: Promise<void> = Promise.resolve()
  #budget = RATE
  #since = performance.now()

  constructor(send: (line: string) => Promise<void>, signal: AbortSignal) {
    this.#send = send
    this.#signal = signal
  }

  async take(part: Uint8Array, source: OutputSource): Promise<void> {
    const rest = this.#rests[source]
    const lines = (rest.text + rest.decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length))).split('\n')
    rest.text = lines.pop() ?? ''
    while (rest.text.length > LONGEST) {
      lines.push(rest.text.slice(0, LONGEST))
      rest.text = rest.text.slice(LONGEST)
    }
    // One after the other: two outputs come at once.
    this.#turn = this.#turn.then(async () => {
      await this.#slowDown(part.length)
      for (const line of lines) await this.#send(line.endsWith('\r') ? line.slice(0, -1) : line)
    })
    await this.#turn
  }

  /** What stands behind the last newline. */
  async end(): Promise<void> {
    for (const { text, decoder } of Object.values(this.#rests)) {
      const last = text + decoder.end()
      if (last !== '') await this.#send(last)
    }
  }

  async #slowDown(bytes: number): Promise<void> {
    const now = performance.now()
    this.#budget = Math.min(RATE, this.#budget + ((now - this.#since) * RATE) / 1000) - bytes
    this.#since = now
    if (this.#budget < 0) await wait((-this.#budget * 1000) / RATE, undefined, { signal: this.#signal })
  }
}
