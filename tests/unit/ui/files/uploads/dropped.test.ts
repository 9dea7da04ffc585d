import { describe, expect, it } from 'vitest'
import { carriesFiles } from '../../../../../ui/src/files/list/drag/drop-target.ts'
import { walkDropped } from '../../../../../ui/src/files/uploads/plan/upload-entry.ts'

interface Tree {
  readonly [name: string]: Tree | 'file'
}

/** The entry of a dropped folder, whose reader returns two children at a time. */
function entryOf(name: string, tree: Tree | 'file'): FileSystemEntry {
  const common = { name, fullPath: '', filesystem: undefined, getParent: () => undefined }
  if (tree === 'file') {
    const handle = {
      ...common,
      isFile: true,
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File([], name)),
    }
    return handle as unknown as FileSystemEntry
  }
  const createReader = () => {
    const rest = Object.entries(tree)
    return {
      readEntries: (done: (entries: FileSystemEntry[]) => void) =>
        done(rest.splice(0, 2).map(([child, below]) => entryOf(child, below))),
    }
  }
  return { ...common, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry
}

const walk = async (tree: Tree, signal = new AbortController().signal): Promise<string[]> => {
  const entries = Object.entries(tree).map(([name, below]) => entryOf(name, below))
  const found = await walkDropped({ entries, handles: [], files: [] }, signal)
  return found.map(({ path, file }) => (file === null ? `${path}/` : path))
}

describe('dropped files and folders', () => {
  it('are read to the last batch with their relative paths', async () => {
    const many = Object.fromEntries(['1', '2', '3', '4', '5'].map((name) => [name, 'file' as const]))
    expect(await walk({ top: { inner: many }, loose: 'file' })).toEqual([
      'top/',
      'top/inner/',
      'top/inner/1',
      'top/inner/2',
      'top/inner/3',
      'top/inner/4',
      'top/inner/5',
      'loose',
    ])
  })

  it('include empty folders', async () => {
    expect(await walk({ top: { empty: {} } })).toEqual(['top/', 'top/empty/'])
  })

  it('take files by their handles, which are faster, and by their entries where a browser gives no handle', async () => {
    const asked: string[] = []
    const fileHandle = (name: string, fails = false) => ({
      kind: 'file',
      name,
      getFile: async () => {
        asked.push(name)
        return await (fails ? Promise.reject(new Error('gone')) : Promise.resolve(new File(['by handle'], name)))
      },
    })
    const children = [fileHandle('a'), fileHandle('broken', true)]
    const top = { kind: 'directory', name: 'top', values: () => children.values() }
    const dropped = {
      entries: [entryOf('top', { a: 'file', 'b:c': 'file', broken: 'file' })],
      handles: [Promise.resolve(top as unknown as FileSystemHandle)],
      files: [],
    }
    const found = await walkDropped(dropped, new AbortController().signal)
    expect(found.map(({ path, file, origin }) => `${path} ${file?.size ?? 'folder'} ${origin?.path ?? ''}`)).toEqual([
      'top folder ',
      'top/a 9 a',
      'top/b:c 0 b:c',
      'top/broken 0 broken',
    ])
    expect(asked).toEqual(['a', 'broken'])
  })

  it('are not read after an abort', async () => {
    await expect(walk({ top: { a: 'file' } }, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  })

  it('are distinguished from a drag inside the page', () => {
    expect(carriesFiles({ types: ['Files'] } as unknown as DataTransfer)).toBe(true)
    expect(carriesFiles({ types: ['text/plain'] } as unknown as DataTransfer)).toBe(false)
    expect(carriesFiles(null)).toBe(false)
  })
})
