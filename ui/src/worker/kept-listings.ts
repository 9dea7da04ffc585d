import { readToken } from '../api/token.ts'

/** The most recent folders kept for each user. */
const MAX_FOLDERS = 100
/** Bytes of one listing. */
export const MAX_BYTES = 4_000_000

/** Milliseconds. */
const DELAY = 1000

/** Response header of a kept listing: when it was stored, in milliseconds. */
export const KEPT_AT = 'X-Kept-At'

/** @param prefix of the cache names; each user has a cache of their own */
export function createKeptListings(storage: CacheStorage, prefix: string, now: () => number = Date.now) {
  /** The only user whose listings are kept; `id` is undefined after signing out. */
  let only: { readonly id: number | undefined } | undefined
  const idOf = (request: Request) => readToken(request.headers.get('X-Auth') ?? '')?.user.id
  const nameFor = (request: Request) => {
    const id = idOf(request)
    return id === undefined ? undefined : `${prefix}${id}`
  }

  async function keep(request: Request, whole: Blob): Promise<void> {
    const name = nameFor(request)
    await pause()
    const text = await whole.text()
    // After signing out, the next user of this browser must find nothing.
    const isOther = () => only !== undefined && only.id !== idOf(request)
    if (name === undefined || !isListing(text) || isOther()) return
    const cache = await storage.open(name)
    const headers = { 'Content-Type': 'application/json', [KEPT_AT]: String(now()) }
    await cache.put(request.url, new Response(text, { headers }))
    if (isOther()) await storage.delete(name)
    const urls = await cache.keys()
    for (const oldest of urls.slice(0, Math.max(0, urls.length - MAX_FOLDERS))) await cache.delete(oldest)
  }

  /** The page is about to draw the listing, for which a slow processor takes a while. */
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DELAY))

  return {
    keep,
    /** The listing that this user last saw at this address; never that of another user. */
    async find(request: Request) {
      const name = nameFor(request)
      return name === undefined ? undefined : await storage.match(request.url, { cacheName: name })
    },
    async drop(request: Request) {
      const name = nameFor(request)
      if (name !== undefined) await (await storage.open(name)).delete(request.url)
    },
    /** Deletes the listings of all other users, including those that are being stored right now. */
    async forget(userId: number | undefined) {
      only = { id: userId }
      const names = (await storage.keys()).filter((name) => name.startsWith(prefix) && name !== `${prefix}${userId}`)
      await Promise.all(names.map(async (name) => await storage.delete(name)))
    },
  }
}

/** Files share the address of listings and include their text, which is never kept. */
function isListing(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null && 'items' in answer
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/**
 * Reads a body, but not more than about the limit in bytes: what exceeds it stays in `rest`.
 *
 * @throws what the body throws
 */
export async function readWithin(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
): Promise<{ readonly parts: Uint8Array<ArrayBuffer>[]; readonly rest?: ReadableStream<Uint8Array<ArrayBuffer>> }> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body?.getReader()
  for (let size = 0; size <= limit; size += parts.at(-1)?.length ?? 0) {
    const part = await reader?.read()
    if (part === undefined || part.done) return { parts }
    parts.push(part.value)
  }
  reader?.releaseLock()
  return { parts, ...(body && { rest: body }) }
}
