import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import { parseSearchQuery } from '../../../../src/domain/files/search-query.ts'
import { Listing } from '../../../../src/domain/files/resource.ts'
import { type Scope } from '../../../../src/storage/storage.ts'
import { Check } from 'typebox/value'
import { codeOf, found, list, namesIn, path, put, viewOf, walked } from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

const deny = (rulePath: string): Rule => ({ regex: false, allow: false, path: rulePath, regexp: null })
const allow = (rulePath: string): Rule => ({ ...deny(rulePath), allow: true })
const denyPattern = (raw: string): Rule => ({ regex: true, allow: false, path: '', regexp: { raw } })

/** What every storage shows of its folders. */
export function listingContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`a listing of ${name}, as of any storage`, () => {
    let world: TestStorage
    let scope: Scope

    openForEach(open, (opened) => {
      ;({ world, scope } = opened)
    })

    async function plant(...names: string[]) {
      for (const entry of names) {
        if (entry.endsWith('/')) await scope.makeFolder(path(entry), 0o750)
        else await put(scope, entry)
      }
    }

    it('carries the folder itself, its items, counts and sorting, as the schema says', async () => {
      await plant('/kinds/sub/')
      await put(scope, '/kinds/hello.txt', 'hello')
      const listing = await list(scope, '/kinds/')
      expect(Check(Listing, listing)).toBe(true)
      expect(listing).toMatchObject({
        numDirs: 1,
        numFiles: 1,
        sorting: { by: 'name', asc: false },
        path: '/kinds/',
        name: 'kinds',
        isDir: true,
        type: '',
        items: [
          { path: '/kinds/sub', name: 'sub', isDir: true, type: '' },
          { path: '/kinds/hello.txt', name: 'hello.txt', size: 5, extension: '.txt', isDir: false, type: 'text' },
        ],
      })
      expect(listing.items[1]?.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,8}[1-9])?Z$/)
    })

    it('shows an entry alone as it shows it among others', async () => {
      await put(scope, '/a b/file.tar.gz', Buffer.from([0x1f, 0x8b, 8, 0]))
      const [item] = (await list(scope, '/a b')).items
      expect(await scope.stat(path('/a b/file.tar.gz'), viewOf('/a b/file.tar.gz'))).toEqual(item)
      expect(item).toMatchObject({ extension: '.gz', type: 'blob' })
    })

    it('is empty for an empty folder', async () => {
      expect(await list(scope, '/')).toMatchObject({ items: [], numDirs: 0, numFiles: 0, path: '/', name: '' })
    })

    it('fails before its first part', async () => {
      await plant('/file')
      expect(await codeOf(scope.listing(path('/none'), viewOf('/none')))).toBe('NOT_FOUND')
      expect(await codeOf(scope.listing(path('/file'), viewOf('/file')))).toBe('CONFLICT')
      expect(await codeOf(scope.listing(path('/'), viewOf('/'), AbortSignal.abort()))).toBe('CANCELLED')
    })

    it('detects types by extension, else by content', async () => {
      const contents: Record<string, string | Buffer> = {
        'a.MP4': 'x',
        'b.opus': 'x',
        'c.flac': 'x',
        'fake.png': 'text',
        'e.pdf': 'x',
        'data.bin': 'only text',
        'json.json': '{}',
        noextension: '\x89PNG\r\n\x1a\n',
        picture: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        'real.bin': Buffer.from([1, 2, 3]),
        'late.unknown': Buffer.concat([Buffer.alloc(512, 'x'), Buffer.alloc(1)]),
        'large.txt': Buffer.alloc(10_485_761, 'x'),
      }
      for (const [file, body] of Object.entries(contents)) await put(scope, `/${file}`, body)
      const types = (await list(scope, '/')).items.map((item) => [item.name, item.type])
      expect(Object.fromEntries(types)).toEqual({
        'a.MP4': 'video',
        'b.opus': 'video',
        'c.flac': 'audio',
        'fake.png': 'image',
        'e.pdf': 'pdf',
        'data.bin': 'text',
        'json.json': 'text',
        noextension: 'text',
        picture: 'image',
        'real.bin': 'blob',
        'late.unknown': 'text',
        'large.txt': 'blob',
      })
      const single = await scope.stat(path('/data.bin'), viewOf('/data.bin', { canModify: false }))
      expect(single.type).toBe('textImmutable')
      const unsniffed = await list(scope, '/', { sniff: false })
      expect(unsniffed.items.find((item) => item.name === 'picture')?.type).toBe('text')
    })

    const recorded = [
      'adir',
      'dir2',
      'dir10',
      'Zdir',
      '_x.txt',
      'ä.txt',
      'b 1.txt',
      'file1.txt',
      'file02.txt',
      'file2.txt',
    ].concat('File3.txt', 'file10.txt')

    async function plantRecorded() {
      const folders = recorded.slice(0, 4).map((entry) => `/${entry}/`)
      await plant(...folders, ...recorded.slice(4).map((entry) => `/${entry}`))
    }

    it('sorts names naturally, folders first in both directions', async () => {
      await plantRecorded()
      expect(await namesIn(scope, '/')).toEqual(recorded)
      const backwards = [...recorded.slice(0, 4).reverse(), ...recorded.slice(4).reverse()]
      // These differ in zeros only, so they stay in byte order.
      backwards.splice(backwards.indexOf('file2.txt'), 2, 'file02.txt', 'file2.txt')
      expect(await namesIn(scope, '/', { sorting: { by: 'name', asc: true } })).toEqual(backwards)
      expect(await namesIn(scope, '/', { sorting: { by: '', asc: false } })).toEqual(recorded)
    })

    it('sorts an emoji after all other characters and numbers of any length by value', async () => {
      await plant('/😀', '/\uffee', `/n${'9'.repeat(30)}`, `/n1${'0'.repeat(30)}`, '/n5')
      expect(await namesIn(scope, '/')).toEqual(['n5', `n${'9'.repeat(30)}`, `n1${'0'.repeat(30)}`, '\uffee', '😀'])
    })

    it('sorts names that end in numbers with zeros before them', async () => {
      await plant('/file2', '/file02', '/file002', '/file10', '/v9.txt', '/v009.txt', '/v09a.txt')
      const order = ['file002', 'file02', 'file2', 'file10', 'v009.txt', 'v9.txt', 'v09a.txt']
      expect(await namesIn(scope, '/')).toEqual(order)
    })

    it('sorts by size with folders below all files', async () => {
      await plant('/folder/')
      for (const size of [3, 1, 2]) await put(scope, `/size${size}`, 'x'.repeat(size))
      const ascending = ['folder', 'size1', 'size2', 'size3']
      expect(await namesIn(scope, '/', { sorting: { by: 'size', asc: true } })).toEqual(ascending)
      expect(await namesIn(scope, '/', { sorting: { by: 'size', asc: false } })).toEqual(ascending.toReversed())
    })

    it('sorts by time with folders and files mixed', async () => {
      for (const entry of ['/c', '/a/', '/b']) {
        await plant(entry)
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
      expect(await namesIn(scope, '/', { sorting: { by: 'modified', asc: true } })).toEqual(['c', 'a', 'b'])
      expect(await namesIn(scope, '/', { sorting: { by: 'modified', asc: false } })).toEqual(['b', 'a', 'c'])
    })

    it('leaves out denied entries, and dotfiles if they are hidden', async () => {
      await plant('/docs/a.txt', '/docs/b.log', '/docs/.hidden', '/docs/.folder/inside', '/docs/secret/deep/file')
      const rules = [deny('/shared/docs/secret'), denyPattern('\\.log$')]
      const view = { rules, rulePrefix: path('/shared') }
      expect(await namesIn(scope, '/docs', view)).toEqual(['.folder', '.hidden', 'a.txt'])
      expect(await namesIn(scope, '/docs', { ...view, hideDotfiles: true })).toEqual(['a.txt'])
      expect(await walked(scope, '/', { ...view, hideDotfiles: true })).toEqual(['/docs', '/docs/a.txt'])
      expect(await scope.count(path('/docs'), { ...view, hideDotfiles: false })).toBe(3)
      expect(await scope.count(path('/docs'), { ...view, hideDotfiles: true })).toBe(1)
      expect(await codeOf(scope.count(path('/docs/a.txt'), { ...view, hideDotfiles: true }))).toBe('INVALID_INPUT')
    })

    it('walks depth first in byte order', async () => {
      await plant('/a/z', '/a/B/deep', '/a.txt', '/B', '/ä', '/empty/')
      const all = ['/B', '/a', '/a/B', '/a/B/deep', '/a/z', '/a.txt', '/empty', '/ä']
      expect(await walked(scope, '/')).toEqual(all)
      expect(await walked(scope, '/a')).toEqual(['/a/B', '/a/B/deep', '/a/z'])
      expect(await codeOf(walked(scope, '/B'))).toBe('INVALID_INPUT')
      expect(await codeOf(walked(scope, '/none'))).toBe('NOT_FOUND')
    })

    it('searches depth first in byte order, by the names alone', async () => {
      await plant('/in/z', '/in/B/deep-in', '/in.txt', '/B', '/ä-in', '/empty-in/')
      expect(await found(scope, '/', 'IN')).toEqual(['empty-in', 'in', 'in/B/deep-in', 'in.txt', 'ä-in'])
      expect(await found(scope, '/', '"in" case:sensitive')).toHaveLength(5)
      expect(await found(scope, '/in', '')).toEqual(['B', 'B/deep-in', 'z'])
      expect(await found(scope, '/', 'in/B')).toEqual([])
    })

    it('finds nothing in a missing or reserved folder, without an error', async () => {
      await plant('/a.txt')
      for (const folder of ['/none', '/none/deeper', '/a.txt', '/.filemgr-trash'])
        expect(await found(scope, folder, ''), folder).toEqual([])
    })

    it('finds visible entries of a hidden or denied folder', async () => {
      await plant('/docs/.hidden/inside', '/docs/.hidden/.too', '/docs/secret/a', '/docs/secret/open/b', '/docs/c.log')
      const rules = [deny('/shared/docs/secret'), denyPattern('\\.log$'), allow('/shared/docs/secret/open')]
      const view = { rules, rulePrefix: path('/shared'), hideDotfiles: true }
      const all = ['docs', 'docs/.hidden/inside', 'docs/secret/open', 'docs/secret/open/b']
      expect(await found(scope, '/', '', view)).toEqual(all)
    })

    it('finds no more once a search is aborted', async () => {
      await plant('/a/b')
      const signal = AbortSignal.abort()
      const view = { ...viewOf('/'), query: parseSearchQuery('') }
      expect(await codeOf(Array.fromAsync(scope.search(path('/'), view, signal)))).toBe('CANCELLED')
    })

    it('finds the subtitles of a video beside it and in its folders', async () => {
      const found = ['Subs/any.srt', 'Subs/movie-extra/nested.vtt', 'movie.SRT', 'movie.ass', 'movie.en.vtt']
        .concat('movie.srt', 'movie2.srt', 'subtitles/x.ssa')
        .map((entry) => `/subs/${entry}`)
      const others = ['/subs/Subs/other/no.vtt', '/subs/film.srt', '/subs/movie.txt', '/subs/movie.srt.txt']
      await plant('/subs/movie.mp4', ...found, ...others)
      const listed = (await list(scope, '/subs')).items.find((item) => item.name === 'movie.mp4')
      expect(listed?.subtitles).toEqual(found)
      expect(await scope.stat(path('/subs/movie.mp4'), viewOf('/subs/movie.mp4'))).toEqual(listed)
      const denied = await list(scope, '/subs', { rules: [deny('/subs/Subs'), deny('/subs/movie.ass')] })
      expect(denied.items.find((item) => item.name === 'movie.mp4')?.subtitles).toEqual(found.slice(2).toSpliced(1, 1))
    })

    const tricky = [
      'quote"s',
      'back\\slash',
      'tab\there',
      'line\nbreak',
      '\u0001control',
      '\u007f',
      'emoji 👩‍👩‍👧',
      '\u202eltr',
    ].concat(
      'שלום',
      'مرحبا',
      '\ufffd',
      'e\u0301',
      '\u00e9',
      '<script>&amp;',
      '\u2028',
      'trailing. ',
      '-rf',
      '...',
      '%2F',
      '~',
    )

    it('writes tricky names as JSON.stringify would, and every one can be opened', async () => {
      const isRefused = (entry: string) => world.refused?.test(entry) === true
      for (const entry of tricky.filter(isRefused)) expect(await codeOf(plant(`/${entry}`))).toBe('INVALID_INPUT')
      const names = tricky.filter((entry) => !isRefused(entry))
      await plant(...names.map((entry) => `/t"\n/${entry}`))
      const listing = await list(scope, '/t"\n/')
      expect(listing.items.map((item) => item.name).toSorted()).toEqual(names.toSorted())
      for (const item of listing.items) {
        expect(item.path).toBe(`/t"\n/${item.name}`)
        expect(await scope.stat(path(item.path), viewOf(item.path))).toEqual(item)
        expect(await scope.checksum(path(item.path), 'md5')).toBe(createHash('md5').digest('hex'))
      }
      expect((await walked(scope, '/t"\n')).toSorted()).toEqual(names.map((entry) => `/t"\n/${entry}`).toSorted())
    })
  })
}
