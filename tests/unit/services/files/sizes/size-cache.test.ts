import { describe, expect, it } from 'vitest'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { SizeCache, type SizedFolder } from '../../../../../src/services/files/sizes/size-cache.ts'

const path = parseVirtualPath

function sized(folders: readonly string[] = [], bytes = 1): SizedFolder {
  const total = { bytes, files: 1, folders: folders.length }
  return { modified: 'then', bytes, files: 1, folders, total, changed: 'no', expires: Infinity }
}

/** "/", "/a", "/a/b" and "/c" in two views. */
function filled(): SizeCache {
  const cache = new SizeCache(100_000)
  for (const view of ['ann', 'bob']) {
    cache.set(view, path('/a/b'), sized())
    cache.set(view, path('/a'), sized(['b']))
    cache.set(view, path('/c'), sized())
    cache.set(view, path('/'), sized(['a', 'c']))
  }
  return cache
}

const changes = (cache: SizeCache, view: string) =>
  ['/', '/a', '/a/b', '/c'].map((folder) => cache.get(view, path(folder))?.changed)

describe('the cache of folder sizes', () => {
  it('stays within its bytes, and drops what was not used for the longest time', () => {
    const cache = new SizeCache(5000)
    for (let index = 0; index < 100; index += 1) {
      cache.set('ann', path(`/${index}`), sized())
      cache.get('ann', path('/0'))
    }
    expect(cache.bytes).toBeLessThanOrEqual(5000)
    expect(cache.get('ann', path('/0'))).toEqual(sized())
    expect(cache.get('ann', path('/1'))).toBeUndefined()
    expect(cache.get('ann', path('/99'))).toEqual(sized())
    cache.set('ann', path('/huge'), sized(['x'.repeat(10_000)]))
    expect(cache.bytes).toBeLessThanOrEqual(5000)
    cache.clear()
    expect(cache.bytes).toBe(0)
  })

  it('knows after a change which folders must be read again, and which only added up again, in every view', () => {
    const cache = filled()
    cache.forget(path('/a/b/file'))
    for (const view of ['ann', 'bob']) expect(changes(cache, view)).toEqual(['beneath', 'beneath', 'here', 'no'])
    cache.touch(path('/'))
    expect(changes(cache, 'ann')).toEqual(['here', 'beneath', 'here', 'no'])
  })

  it('forgets a folder that was moved or removed, with all that is in it', () => {
    const cache = filled()
    cache.forget(path('/a'))
    expect(changes(cache, 'ann')).toEqual(['here', undefined, undefined, 'no'])
    cache.forget(path('/c'))
    cache.forget(path('/'))
    expect(changes(cache, 'bob')).toEqual([undefined, undefined, undefined, undefined])
    expect(cache.bytes).toBe(0)
  })

  it('keeps its size right when a folder is set again', () => {
    const cache = filled()
    const before = cache.bytes
    cache.set('ann', path('/a'), sized(['b'], 2))
    expect(cache.bytes).toBe(before)
  })

  it('treats a change during a read as one after it', async () => {
    const cache = filled()
    await cache.reading(async () => {
      cache.forget(path('/a/b/file'))
      // The service read this before the change.
      cache.set('ann', path('/a/b'), sized())
      cache.set('ann', path('/a'), sized(['b']))
      cache.set('ann', path('/'), sized(['a', 'c']))
    })
    expect(changes(cache, 'ann')).toEqual(['beneath', 'beneath', 'here', 'no'])
    await cache.reading(async () => {
      cache.mark(path('/c'))
      cache.set('ann', path('/c'), sized())
    })
    expect(changes(cache, 'ann').at(-1)).toBe('no')
  })
})
