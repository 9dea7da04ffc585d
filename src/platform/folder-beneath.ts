import { realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Whether a folder, which need not be there yet, is another one or lies beneath it, by whatever links it is called. */
export async function liesBeneath(folder: string, root: string): Promise<boolean> {
  const path = relative(await realpath(root), await realFuture(resolve(folder)))
  return path !== '..' && !path.startsWith(`..${sep}`)
}

/** Where something is, or would be. */
async function realFuture(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    return join(await realFuture(parent), path.slice(parent.length))
  }
}
