import { expect, it } from 'vitest'
import { parseVirtualPath, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { createLooks, type Look, USUAL_COLUMNS } from '../../../../../ui/src/files/list/listing/looks.ts'

const LIST: Look = { mode: 'list', sorting: { by: 'size', asc: true }, grouping: 'none', columns: USUAL_COLUMNS }
const TILES: Look = { ...LIST, mode: 'mosaic', grouping: 'type' }

function storage(): Storage {
  const values = new Map<string, string>()
  return {
    length: 0,
    clear: () => values.clear(),
    key: () => null,
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  }
}

const [a, b, c] = ['/a', '/b', '/a/c'].map(parseVirtualPath) as [VirtualPath, VirtualPath, VirtualPath]

it('each folder keeps its own look, for each user', () => {
  const kept = storage()
  const looks = createLooks(kept, 1)
  looks.keep(a, LIST)
  looks.keep(b, TILES)
  looks.keep(a, { ...LIST, grouping: 'modified' })
  expect(createLooks(kept, 1).of(a)).toEqual({ own: true, look: { ...LIST, grouping: 'modified' } })
  expect(looks.of(b)).toEqual({ own: true, look: TILES })
  expect(looks.of(ROOT)).toEqual({ own: false, look: {} })
  expect(createLooks(kept, 2).of(a)).toEqual({ own: false, look: {} })
  looks.forget(a)
  expect(looks.of(a)).toEqual({ own: false, look: {} })
})

it('what is chosen applies below too, down to the next choice', () => {
  const looks = createLooks(storage(), 1)
  looks.keep(ROOT, LIST)
  expect(looks.of(c)).toEqual({ own: false, look: LIST })
  looks.keep(a, TILES)
  expect([looks.of(c), looks.of(b)]).toEqual([
    { own: false, look: TILES },
    { own: false, look: LIST },
  ])
})

it('a look for all folders replaces those of single folders', () => {
  const looks = createLooks(storage(), 1)
  looks.keep(a, LIST)
  looks.keepForAll({ grouping: 'type', columns: [] })
  expect(looks.of(a)).toEqual({ own: false, look: { grouping: 'type', columns: [] } })
  looks.keep(a, LIST)
  expect([looks.of(a).look, looks.of(b).look]).toEqual([LIST, { grouping: 'type', columns: [] }])
})

it('keeps those that changed last, and the default', () => {
  const looks = createLooks(storage(), 1)
  looks.keepForAll({ grouping: 'type' })
  for (let index = 0; index < 600; index += 1) looks.keep(parseVirtualPath(`/${index}`), LIST)
  expect(looks.of(parseVirtualPath('/599')).own).toBe(true)
  expect(looks.of(parseVirtualPath('/0'))).toEqual({ own: false, look: { grouping: 'type' } })
})

it('what else is in its place counts as nothing', () => {
  const kept = storage()
  kept.setItem('filemgr:looks:1', '[7, "x", {}]')
  expect(createLooks(kept, 1).of(a)).toEqual({ own: false, look: {} })
})
