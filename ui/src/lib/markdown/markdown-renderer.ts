export interface MarkdownRequest {
  readonly id: number
  readonly markdown: string
}

export interface MarkdownResponse {
  readonly id: number
  readonly html: string
}

/** The part of `Worker` that the renderer uses. */
export interface MarkdownWorker {
  onmessage: ((event: MessageEvent<MarkdownResponse>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(request: MarkdownRequest): void
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

interface PendingRender {
  readonly resolve: (html: string) => void
  readonly reject: (error: Error) => void
  readonly timer: ReturnType<typeof setTimeout>
}

/** Converts Markdown to HTML in a worker, which is terminated when a document takes too long. */
export class MarkdownRenderer {
  readonly #start: () => MarkdownWorker
  readonly #limits: MarkdownLimits
  readonly #pending = new Map<number, PendingRender>()
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
      throw new MarkdownTooLongError('The document is too long to be rendered.')
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#begin())
    return await new Promise((resolve, reject) => {
      const giveUp = () => this.#end(new MarkdownTooLongError('The document takes too long to render.'))
      this.#pending.set(id, { resolve, reject, timer: setTimeout(giveUp, this.#limits.timeout) })
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
      const pending = this.#pending.get(id)
      if (pending === undefined) return
      this.#pending.delete(id)
      clearTimeout(pending.timer)
      pending.resolve(html)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      this.#end(new Error(`The document could not be rendered: ${event.message}`))
    }
    return worker
  }

  /** Rejects all pending documents; the next one starts a new worker. */
  #end(error: Error): void {
    this.#worker?.terminate()
    this.#worker = undefined
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer)
      reject(error)
    }
    this.#pending.clear()
  }
}

function startWorker(): MarkdownWorker {
  return new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module', name: 'markdown' })
}
