import { closeSync, constants, openSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/domain/access/rule.ts'
import { parseSearchQuery, type SearchHit } from '../../../src/domain/files/search-query.ts'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'
import { bareScopeRoot, lend } from '../../../src/storage/local/scope/scope-root.ts'
import { Handle } from '../../../src/storage/local/system/handle.ts'
import { NameIndex } from '../../../src/storage/local/worker/name-index.ts'
import { searchFolder } from '../../../src/storage/local/worker/search-folder.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'

const LATER = 60 * 60_000

interface Searched {
  readonly folder: TempFolder
  /** Paths that a search finds, with the same index each time. */
  readonly find: (query: string, rules?: readonly Rule[], at?: string, index?: NameIndex) => string[]
}

/** An index for which everything on the disk is an hour old. */
function newIndex(): NameIndex {
  return new NameIndex({ max: 1_000_000, now: () => Date.now() + LATER })
}

/** A folder that was searched once, so that the index knows all names. */
async function searched(files: Record<string, string>, prepare?: (folder: TempFolder) => void) {
  const folder = await tempFolder(files)
  prepare?.(folder)
  const known = newIndex()
  const find: Searched['find'] = (query, rules = [], at = '', index = known) => {
    const fd = openSync(folder.at(at), constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      const where = { folder: fd, scopeRoot: lend(bareScopeRoot(new Handle(fd), 'inside'), rules), rulePaths: [ROOT] }
      const input = { ...where, hideDotfiles: false, query: parseSearchQuery(query) }
      return [...searchFolder(input, index)].flatMap((hits) => (hits ?? []) as SearchHit[]).map(({ path }) => path)
    } finally {
      closeSync(fd)
    }
  }
  find('')
  return { folder, find, [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose]() }
}

describe('a search where all names are known', () => {
  it('finds the same, in the same order, as with an empty index', async () => {
    const files = {
      'b/two.txt': '',
      'b/deep/x/Two.pdf': '',
      'a.two/': '',
      'B2/ΟΔΟΣ two': '',
      'c/.two': '',
      two: '',
      'd/ΑΣΑ': '',
      [`e/${'테스트 Übersicht'.normalize('NFD')}.txt`]: '',
      'e/f/température´.txt': '',
    }
    await using known = await searched(files)
    for (const query of [
      'two',
      'case:sensitive Two',
      'οδος',
      'type:pdf',
      '',
      '"o t"',
      '스트',
      'temperature',
      'case:sensitive Übersicht',
      'case:sensitive ´',
      '´',
    ])
      expect(known.find(query), query).toEqual(known.find(query, [], '', newIndex()))
    expect(known.find('two')).toEqual(['B2/ΟΔΟΣ two', 'a.two', 'b/deep/x/Two.pdf', 'b/two.txt', 'c/.two', 'two'])
    expect(known.find('case:sensitive ΑΣ')).toEqual(['d/ΑΣΑ'])
    expect(known.find('case:sensitive Two')).toEqual(['b/deep/x/Two.pdf'])
    expect(known.find('ΟΔΟΣ')).toEqual(['B2/ΟΔΟΣ two'])
    expect(known.find('case:sensitive ΟΔΟΣ')).toEqual(['B2/ΟΔΟΣ two'])
    const decomposed = `e/${'테스트 Übersicht'.normalize('NFD')}.txt`
    for (const query of ['테스', 'ubersicht', 'case:sensitive Übersicht'])
      expect(known.find(query)).toEqual([decomposed])
    expect(known.find('TEMPERATURE')).toEqual(['e/f/température´.txt'])
    expect(known.find('´')).toEqual(['e/f/température´.txt'])
  })

  it('finds later changes', async () => {
    await using known = await searched({ 'a/b/one.txt': '', 'a/c/': '' })
    writeFileSync(known.folder.at('a/b/two.txt'), '')
    renameSync(known.folder.at('a/b'), known.folder.at('a/c/b'))
    expect(known.find('o')).toEqual(['a/c/b/one.txt', 'a/c/b/two.txt'])
  })

  it('shows each user only what their rules allow, whatever was searched before', async () => {
    await using known = await searched({ 'open/report': '', 'secret/report': '' })
    const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
    expect(known.find('report', rules)).toEqual(['open/report'])
    expect(known.find('report')).toEqual(['open/report', 'secret/report'])
  })

  it('does not follow a link to the outside that has replaced a known folder (dufs #670)', async () => {
    await using known = await searched({ 'home/docs/report': '', 'outside/report': '' })
    renameSync(known.folder.at('home/docs'), known.folder.at('home/old'))
    symlinkSync('../outside', known.folder.at('home/docs'))
    expect(known.find('report', [], 'home')).toEqual(['old/report'])
  })

  it('checks where links lead each time', async () => {
    await using known = await searched({ 'home/x': '', 'outside/y': '' }, (folder) =>
      symlinkSync('link-target', folder.at('home/link')),
    )
    expect(known.find('link', [], 'home')).toEqual(['link'])
    symlinkSync('../outside', known.folder.at('home/link-target'))
    expect(known.find('link', [], 'home')).toEqual([])
  })
})
