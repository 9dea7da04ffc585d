import { readToken } from '../api/token.ts'
import { textWithin } from './text-within.ts'

/** Folders of one user, the last seen ones, and bytes of one listing. */
const MOST_FOLDERS = 100
const LONGEST = 4_000_000

/** When a listing was kept, in a header of the answer that shows it again. */
export const KEPT_AT = 'X-Kept-At'

export interface KeptListings {
  keep(request: Request, response: Response): Promise<void>
  /** What this user saw last at this address; never what another one saw. */
  find(request: Request): Promise<Response | undefined>
  drop(request: Request): Promise<void>
  /** Forgets all listings but those of this user; what is on its way to be kept is not kept any more. */
  forget(userId: number | undefined): Promise<void>
}

/** @param prefix of the names of the caches; there is one for each user */
export function createKeptListings(storage: CacheStorage, prefix: string, now: () => number = Date.now): KeptListings {
  /** The only one whose listings are kept; nobody's after a sign-out. */
  let only: { readonly id: number | undefined } | undefined
  const idOf = (request: Request) => readToken(request.headers.get('X-Auth') ?? '')?.user.id
  const nameFor = (request: Request) => {
    const id = idOf(request)
    return id === undefined ? undefined : `${prefix}${id}`
  }

  async function keep(request: Request, response: Response): Promise<void> {
    const name = nameFor(request)
    const text = await textWithin(response, LONGEST)
    // Signed out meanwhile: the next user of this browser must find nothing.
    const isOther = () => only !== undefined && only.id !== idOf(request)
    if (name === undefined || text === undefined || !isListing(text) || isOther()) return
    const cache = await storage.open(name)
    const headers = { 'Content-Type': 'application/json', [KEPT_AT]: String(now()) }
    await cache.put(request.url, new Response(text, { headers }))
    if (isOther()) await storage.delete(name)
    const urls = await cache.keys()
    for (const oldest of urls.slice(0, Math.max(0, urls.length - MOST_FOLDERS))) await cache.delete(oldest)
  }

  return {
    keep,
    async find(request) {
      const name = nameFor(request)
      return name === undefined ? undefined : await storage.match(request.url, { cacheName: name })
    },
    async drop(request) {
      const name = nameFor(request)
      if (name !== undefined) await (await storage.open(name)).delete(request.url)
    },
    async forget(userId) {
      only = { id: userId }
      const names = (await storage.keys()).filter((name) => name.startsWith(prefix) && name !== `${prefix}${userId}`)
      await Promise.all(names.map(async (name) => await storage.delete(name)))
    },
  }
}

/** A file is told about at the same kind of address, with its text in it: that is never kept. */
function isListing(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null && 'items' in answer
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
