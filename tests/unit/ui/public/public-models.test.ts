import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { createShareUrls, entryTowards, viewOf } from '../../../../ui/src/public/open-share.ts'
import { createClient } from '../../../../ui/src/api/client.ts'
import { shareHref, sharedPathOf } from '../../../../ui/src/lib/navigation/app-path.ts'
import { archiveUrl } from '../../../../ui/src/files/actions/download.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'

const client = createClient({
  baseUrl: '/fb',
  token: () => undefined,
  onRenewHint: () => undefined,
  onRejected: () => undefined,
})

describe('the address of a public link', () => {
  it.each([
    ['/share/Ab-_3', { hash: 'Ab-_3', path: '/' }],
    ['/share/Ab3/', { hash: 'Ab3', path: '/' }],
    ['/share/Ab3/sub%20folder/100%25/', { hash: 'Ab3', path: '/sub folder/100%/' }],
    ['/share/Ab3/a/b.txt?view=true#x', { hash: 'Ab3', path: '/a/b.txt' }],
    ['/share/Ab3?token=abc', { hash: 'Ab3', path: '/' }],
    ['/share/%zz/100%', { hash: '%zz', path: '/100%' }],
    ['/share/', undefined],
    ['/shared/Ab3', undefined],
    ['/files/share/Ab3', undefined],
  ])('%s is parsed', (href, expected) => {
    expect(sharedPathOf(href)).toEqual(expected)
  })

  it('is parsed as it was written', () => {
    for (const path of ['/', '/a b/', '/50%/ü?#.txt', '/a/b']) {
      expect(sharedPathOf(shareHref('Ab3', path))).toEqual({ hash: 'Ab3', path })
    }
    expect(shareHref('Ab3', '/')).toBe('/share/Ab3')
  })
})

describe('the addresses of a share', () => {
  const open = createShareUrls(client, 'Ab3', undefined)
  const closed = createShareUrls(client, 'Ab3', 'to/ken')

  it('contain its hash, and the token of a share with a password', () => {
    expect(open.raw('/a b.txt')).toBe('/fb/api/public/dl/Ab3/a%20b.txt?inline=true')
    expect(open.download('/' as VirtualPath)).toBe('/fb/api/public/dl/Ab3')
    expect(closed.download('/a' as VirtualPath)).toBe('/fb/api/public/dl/Ab3/a?token=to%2Fken')
    expect(closed.thumbnail('/p.jpg', '1970-01-01T00:00:01Z')).toBe(
      '/fb/api/public/preview/thumb/Ab3/p.jpg?inline=true&token=to%2Fken&key=1000',
    )
  })

  it('name the selected entries of an archive, unless all are selected', async () => {
    const item = { isDir: false, size: 1, modified: '', type: 'text' } as const
    const items = ['/d/a,b.txt', '/d/c.txt'].map((path) => ({ ...item, path: path as VirtualPath }))
    const folder = '/d' as VirtualPath
    expect(await archiveUrl(closed, { folder, items, all: true }, 'targz')).toBe(
      '/fb/api/public/dl/Ab3/d?algo=targz&token=to%2Fken',
    )
    expect(await archiveUrl(open, { folder, items, all: false }, 'zip')).toBe(
      '/fb/api/public/dl/Ab3/d?files=a%252Cb.txt%2Cc.txt&algo=zip',
    )
  })
})

describe('a selection', () => {
  it('with names that are too long for an address is sent to the server first', async () => {
    const sent: unknown[] = []
    const select = async (...given: unknown[]) => {
      sent.push(given)
      return '/made'
    }
    const items = Array.from({ length: 30 }, (_, index) => ({
      isDir: false,
      size: 1,
      modified: '',
      type: 'text' as const,
      path: `/d/${'日本語'.repeat(20)}${index}` as VirtualPath,
    }))
    const folder = '/d' as VirtualPath
    const source = { download: createShareUrls(client, 'Ab3', undefined).download, select }
    expect(await archiveUrl(source, { folder, items, all: false }, 'tar')).toBe('/made')
    expect(sent).toEqual([[folder, items.map(({ path }) => path.slice(3)), 'tar']])
  })
})

describe('a shared folder', () => {
  const file = (type: Resource['type'], isDir = false) => ({ type, isDir }) as Resource

  it('opens as a gallery if most files are pictures', () => {
    const pictures = Array.from({ length: 7 }, () => file('image'))
    expect(viewOf([...pictures, file('text'), file('video'), file('pdf')])).toBe('mosaic gallery')
    expect(viewOf([...pictures, ...Array.from({ length: 4 }, () => file('text'))])).toBe('list')
    expect(viewOf([file('', true), file('image'), file('image')])).toBe('list')
    expect(viewOf([])).toBe('list')
  })

  it('knows which entry the visitor came back from', () => {
    expect(entryTowards('/', '/a/b.txt')).toBe('a')
    expect(entryTowards('/a', '/a/b.txt')).toBe('b.txt')
    expect(entryTowards('/a/', '/ab')).toBeNull()
    expect(entryTowards('/a', '/a/')).toBeNull()
    expect(entryTowards('/a', null)).toBeNull()
  })
})
