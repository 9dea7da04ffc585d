import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { nodeDisk, type Disk } from '../../../src/store/disk/disk.ts'
import { openJsonStore } from '../../../src/store/json/open-json-store.ts'
import { temporaryFolder } from './folder.ts'

/** Version 1 had `name`, version 2 calls it `title`, version 3 counts. */
const Note = Type.Object({ version: Type.Literal(3), title: Type.String(), count: Type.Integer() })
const migrations = {
  1: ({ name, ...rest }: Record<string, unknown>) => ({ ...rest, title: name }),
  2: (document: Record<string, unknown>) => ({ ...document, count: 0 }),
}
const format = { schema: Note, version: 3, migrations }
const OLD = '{"version":1,"name":"a note"}'

async function oldFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'note.json')
  await writeFile(path, OLD)
  return path
}

it('an old file is migrated step by step, and kept as it was', async () => {
  const path = await oldFile()
  await using store = await openJsonStore({ ...format, path })
  expect(store.snapshot()).toEqual({ version: 3, title: 'a note', count: 0 })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: 3, title: 'a note' })
  expect(await readFile(join(path, '..', 'note.v1.json'), 'utf8')).toBe(OLD)
})

it('an old file that is put in place of an open store is migrated', async () => {
  const path = await oldFile()
  await using store = await openJsonStore({ ...format, path })
  await writeFile(path, '{"version":2,"title":"an older note"}')
  await store.update((draft) => draft.count++)
  expect(store.snapshot()).toEqual({ version: 3, title: 'an older note', count: 1 })
  expect(await readdir(join(path, '..'))).toContain('note.v2.json')
})

it('an old file whose migration gives no valid document is refused and left alone', async () => {
  const path = await oldFile()
  await writeFile(path, '{"version":1,"name":7}')
  await expect(openJsonStore({ ...format, path })).rejects.toMatchObject({
    code: 'STORE_INVALID',
    details: { field: 'title' },
  })
  expect(await readFile(path, 'utf8')).toBe('{"version":1,"name":7}')
})

it('a migration that was interrupted at any of its renames is completed', async () => {
  for (const last of [1, 2]) {
    const path = await oldFile()
    let renames = 0
    const rename: Disk['rename'] = async (from, to) => {
      if (++renames === last) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'rename' })
      await nodeDisk.rename(from, to)
    }
    const disk = { ...nodeDisk, rename }
    await expect(openJsonStore({ ...format, path, disk })).rejects.toMatchObject({ code: 'STORE_INVALID' })
    await using store = await openJsonStore({ ...format, path })
    expect(store.snapshot().title).toBe('a note')
    expect(await readFile(join(path, '..', 'note.v1.json'), 'utf8')).toBe(OLD)
  }
})
