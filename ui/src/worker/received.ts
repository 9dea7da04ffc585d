/** More than a user shares at once. */
const MAX_FILES = 1000
const NAME = 'X-Name'

/**
 * Files shared by another app, until the user chooses a folder for them. Stored in a cache, since the browser may stop
 * the worker before the page has loaded.
 */
export function createReceivedFiles(storage: CacheStorage, name: string, prefix: string) {
  return {
    async put(files: readonly File[]) {
      await storage.delete(name)
      const cache = await storage.open(name)
      for (const [index, file] of files.slice(0, MAX_FILES).entries()) {
        const headers = { 'Content-Type': file.type, [NAME]: encodeURIComponent(file.name) }
        await cache.put(`${prefix}${index}`, new Response(file, { headers }))
      }
    },
    /** Returns and removes them, so only one page gets them. */
    async take() {
      if (!(await storage.has(name))) return []
      const cache = await storage.open(name)
      const files: File[] = []
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        if (response === undefined) continue
        const type = response.headers.get('Content-Type') ?? ''
        const original = decodeURIComponent(response.headers.get(NAME) ?? '')
        files.push(new File([await response.blob()], original || 'file', { type }))
      }
      await storage.delete(name)
      return files
    },
    async clear() {
      await storage.delete(name)
    },
  }
}

/** The files in the form of a share target; text and links become a text file. */
export function filesIn(form: FormData, now: Date): File[] {
  const files = form.getAll('files').filter((entry): entry is File => entry instanceof File && entry.name !== '')
  const values = ['title', 'text', 'url'].map((name) => form.get(name)).filter((value) => typeof value === 'string')
  const text = values.filter((value) => value !== '').join('\n')
  if (text === '' || files.length > 0) return files
  const stamp = now.toISOString().slice(0, 16).replace(/[T:]/g, '-')
  return [new File([`${text}\n`], `shared-${stamp}.txt`, { type: 'text/plain' })]
}
