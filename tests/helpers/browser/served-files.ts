import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from './test-server.ts'

/** Whether a daemon serves a file or folder of this name. */
export function isServed({ root }: Pick<TestServer, 'root'>, name: string): boolean {
  return existsSync(join(root, name))
}

/** The text of a served file, read from the disk. */
export async function servedText({ root }: Pick<TestServer, 'root'>, name: string): Promise<string> {
  return await readFile(join(root, name), 'utf8')
}
