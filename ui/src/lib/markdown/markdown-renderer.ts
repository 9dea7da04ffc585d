export interface MarkdownQuestion {
  readonly id: number
  readonly markdown: string
}

export interface MarkdownAnswer {
  readonly id: number
  readonly html: string
}

/** The part of `Worker` that the renderer uses. */
export interface MarkdownWorker {
  onmessage: ((event: MessageEvent<MarkdownAnswer>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(question: MarkdownQuestion): void
  terminate(): void
}

export interface MarkdownLimits {
  /** UTF-16 units of a document. */
  readonly maxLength: number
  /** Milliseconds for one document. */
  readonly timeout: number
}

const LIMITS: MarkdownLimits = { maxLength: 2 * 1024 * 1024, timeout: 5000 }

/** The document is too long or takes too long to parse. Its source can still be shown. */
export class MarkdownTooLongError extends Error {
  override readonly name = 'MarkdownTooLongError'
}

interface Waiting {
  readonly resolve: (html: string) => void
  readonly reject: (error: Error) => void
  readonly timer: ReturnType<typeof setTimeout>
}

/** Converts Markdown to HTML in a worker, which is terminated when a document takes too long. */
export class MarkdownRenderer {
  readonly #start: () => MarkdownWorker
  readonly #limits: MarkdownLimits
  readonly #waiting = new Map<number, Waiting>()
  #worker: MarkdownWorker | undefined
  #lastId = 0

  constructor(start: () => MarkdownWorker = startWorker, limits: MarkdownLimits = LIMITS) {
    this.#start = start
    this.#limits = limits
  }

  /**
   * @returns HTML that must still be sanitised
   * @throws MarkdownTooLongError
   */
  async render(markdown: string): Promise<string> {
    if (markdown.length > this.#limits.maxLength)
      throw new MarkdownTooLongError('The document is too long to be laid out.')
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#begin())
    return await new Promise((resolve, reject) => {
      const giveUp = () => this.#end(new MarkdownTooLongError('The document takes too long to be laid out.'))
      this.#waiting.set(id, { resolve, reject, timer: setTimeout(giveUp, this.#limits.timeout) })
      worker.postMessage({ id, markdown })
    })
  }

  /** Terminates the worker; pending documents reject with an AbortError. */
  close(): void {
    this.#end(new DOMException('The renderer was closed.', 'AbortError'))
  }

  #begin(): MarkdownWorker {
    const worker = this.#start()
    worker.onmessage = ({ data: { id, html } }) => {
      const waiting = this.#waiting.get(id)
      if (waiting === undefined) return
      this.#waiting.delete(id)
      clearTimeout(waiting.timer)
      waiting.resolve(html)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      this.#end(new Error(`The document could not be laid out: ${event.message}`))
    }
    return worker
  }

  /** Rejects all pending documents; the next one starts a new worker. */
  #end(error: Error): void {
    this.#worker?.terminate()
    this.#worker = undefined
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(error)
    }
    this.#waiting.clear()
  }
}

function startWorker(): MarkdownWorker {
  return new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module', name: 'markdown' })
}
