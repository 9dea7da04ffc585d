import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompressRequest, ExtractRequest } from '../../../src/domain/files/archives/archives.ts'
import type { Client, TestApp } from './test-app.ts'

export interface ArchiveCalls {
  /** A folder of its own for each test, with these archives. */
  folderWith(name: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<string>
  extract(archive: string, request: ExtractRequest, client?: Client): ReturnType<Client['ask']>
  compress(folder: string, request: CompressRequest, client?: Client): ReturnType<Client['ask']>
}

/** @param usual who makes the calls that name nobody else */
export function archiveCalls(server: () => TestApp, usual: () => Client): ArchiveCalls {
  const post = async (call: string, path: string, body: object, client = usual()) =>
    await client.ask('POST', `/api/${call}/${path}`, {
      payload: JSON.stringify(body),
      headers: { accept: 'application/json' },
    })
  return {
    async folderWith(name, files) {
      const { root } = server()
      await mkdir(join(root, name))
      for (const [file, content] of Object.entries(files)) await writeFile(join(root, name, file), content)
      return name
    },
    extract: async (archive, request, client) => await post('extract', archive, request, client),
    compress: async (folder, request, client) => await post('compress', folder, request, client),
  }
}
