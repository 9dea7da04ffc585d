import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from './test-app.ts'

/** Everything that a request could change: our own data, and the served files with content and times. */
export async function stateOf({ context, root }: TestApp): Promise<unknown> {
  const names = (await readdir(root, { recursive: true })).toSorted()
  const files = await Promise.all(names.map(async (name) => await describeFile(join(root, name), name)))
  return { document: structuredClone(context.store.snapshot()), files }
}

async function describeFile(path: string, name: string) {
  const { mode, mtimeMs, ino } = await stat(path)
  const content = await readFile(path, 'latin1').catch(() => undefined)
  return { name, mode, mtimeMs, ino, content }
}
