import { describe, expect, it } from 'vitest'
import {
  findConflicts,
  foldersToLookInto,
  freePath,
  planUploads,
  type Choice,
  type Existing,
} from '../../../../../ui/src/files/uploads/plan/conflict-check.ts'
import { withFolders, type UploadEntry } from '../../../../../ui/src/files/uploads/plan/upload-entry.ts'

const file = (path: string): UploadEntry => ({ path, file: new File([], path.slice(path.lastIndexOf('/') + 1)) })
const folder = (path: string): UploadEntry => ({ path, file: null })

function existing(...paths: string[]): Map<string, Existing> {
  return new Map(
    paths.map((path) => [
      path.replace(/\/$/, ''),
      { isDir: path.endsWith('/'), size: 1, modified: '2025-01-01T00:00:00Z' },
    ]),
  )
}

const planned = (entries: readonly UploadEntry[], here: Map<string, Existing>, choice: Choice): string[] =>
  planUploads(entries, here, () => choice).map(({ path, override }) => (override ? `${path}!` : path))

describe('a conflict', () => {
  it('is a file at the path of a file', () => {
    const found = findConflicts([file('a'), file('b')], existing('a'))
    expect(found.map(({ entry, replaceable }) => [entry.path, replaceable])).toEqual([['a', true]])
  })

  it('is not a folder at the path of a folder: they are merged', () => {
    expect(findConflicts([folder('d'), file('d/new')], existing('d/', 'd/old'))).toEqual([])
  })

  it('between a file and a folder cannot be replaced', () => {
    const found = findConflicts([file('d'), folder('f')], existing('d/', 'f'))
    expect(found.map(({ replaceable }) => replaceable)).toEqual([false, false])
  })

  it('is looked up only in folders that exist at the destination', () => {
    const entries = [folder('old'), file('old/a'), folder('new'), file('new/a'), file('plain')]
    expect(foldersToLookInto(entries, existing('old/', 'plain'))).toEqual(['old'])
  })
})

describe('the plan after the answer', () => {
  const here = existing('a.txt', 'a(1).txt', 'd/', 'd/x.txt')
  const entries = [folder('d'), file('a.txt'), file('b.txt'), file('d/x.txt')]

  it('replaces', () => {
    expect(planned(entries, here, 'replace')).toEqual(['d', 'a.txt!', 'b.txt', 'd/x.txt!'])
  })

  it('skips', () => {
    expect(planned(entries, here, 'skip')).toEqual(['d', 'b.txt'])
  })

  it('keeps both under the next free name', () => {
    expect(planned(entries, here, 'keepBoth')).toEqual(['d', 'a(2).txt', 'b.txt', 'd/x(1).txt'])
  })

  it('numbers files with one name, and answers for all of them at once', () => {
    const photos = [file('image.jpg'), file('image.jpg'), file('image(1).jpg'), file('image.jpg')]
    expect(planned(photos, existing(), 'replace')).toEqual([
      ...['image.jpg', 'image(2).jpg', 'image(1).jpg', 'image(3).jpg'],
    ])
    const before = existing('image.jpg')
    expect(findConflicts(photos, before)).toHaveLength(1)
    expect(planned(photos, before, 'replace')).toEqual([
      ...['image.jpg!', 'image(2).jpg', 'image(1).jpg', 'image(3).jpg'],
    ])
    expect(planned(photos, before, 'keepBoth')).toEqual([
      ...['image(2).jpg', 'image(3).jpg', 'image(1).jpg', 'image(4).jpg'],
    ])
    expect(planned(photos, before, 'skip')).toEqual(['image(1).jpg'])
  })

  it('numbers them in folders too, also in renamed ones, and a file that is called like a folder', () => {
    const entries = withFolders([file('f/x.txt'), file('f/x.txt'), file('f')])
    expect(planned(entries, existing(), 'keepBoth')).toEqual(['f', 'f/x.txt', 'f/x(1).txt', 'f(1)'])
    expect(planned(withFolders([file('f/x'), file('f/x')]), existing('f'), 'keepBoth')).toEqual([
      ...['f(1)', 'f(1)/x', 'f(1)/x(1)'],
    ])
  })

  it('leaves the names of uploads under way to them', () => {
    const here = ['a', 'd/b']
    const plan = planUploads([folder('d'), file('a'), file('d/b'), file('c')], existing(), () => 'replace', here)
    expect(plan.map(({ path }) => path)).toEqual(['d', 'a(1)', 'd/b(1)', 'c'])
  })

  it('keeps both when a file meets a folder, even if asked to replace', () => {
    expect(planned([file('d')], here, 'replace')).toEqual(['d(1)'])
  })

  it('renames the folder of its content, and omits the content of skipped folders', () => {
    const tree = [folder('f'), folder('f/g'), file('f/g/x'), file('fx')]
    expect(planned(tree, existing('f'), 'keepBoth')).toEqual(['f(1)', 'f(1)/g', 'f(1)/g/x', 'fx'])
    expect(planned(tree, existing('f'), 'skip')).toEqual(['fx'])
  })

  it('never uses a name of another file in the same upload', () => {
    expect(planned([file('a'), file('a(1)')], existing('a'), 'keepBoth')).toEqual(['a(2)', 'a(1)'])
  })
})

describe('names and order', () => {
  it('puts the number before the extension', () => {
    expect(freePath('x.y/a.tar.gz', new Set())).toBe('x.y/a.tar(1).gz')
    expect(freePath('x.y/a', new Set())).toBe('x.y/a(1)')
    expect(freePath('.hidden', new Set(['.hidden(1)']))).toBe('.hidden(2)')
  })

  it('creates every parent folder before a file', () => {
    const paths = withFolders([folder('e'), file('p/q/r/a'), file('p/b')]).map(({ path }) => path)
    expect(paths).toEqual(['e', 'p', 'p/q', 'p/q/r', 'p/q/r/a', 'p/b'])
  })
})
