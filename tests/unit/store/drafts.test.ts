import { expect, it } from 'vitest'
import { createDrafts } from '../../../src/store/json/drafts.ts'

interface Sample {
  settings: { name: string; tags: string[] }
  list: { id: number; tags?: string[] | undefined }[]
}

const sample = (): Sample => ({
  settings: { name: 'a', tags: ['x'] },
  list: [{ id: 1, tags: [] }, { id: 2 }, { id: 3 }],
})

function changed(change: (draft: Sample) => void) {
  const drafts = createDrafts<Sample>()
  const before = sample()
  const draft = drafts.draftOf(before)
  change(draft)
  return { before, ...drafts.finish(draft) }
}

it('a draft in which nothing differs is the original, whatever was touched', () => {
  const { before, document, unchecked } = changed((draft) => {
    draft.settings = { tags: ['x'], name: 'a' }
    draft.list = draft.list.map((record) => ({ ...record }))
    for (const record of draft.list) record.id += 0
  })
  expect(document).toEqual(before)
  expect(document.settings).toBe(before.settings)
  expect(unchecked).toMatchObject({ settings: before.settings })
  const untouched = changed(() => undefined)
  expect(untouched.document).toBe(untouched.before)
})

it('only records that differ are new, even after a removed one', () => {
  const { before, document, unchecked } = changed(({ list }) => {
    list.shift()
    list[0]?.tags?.push('y')
    if (list[1]) list[1].tags = ['y']
    list.push({ id: 4 })
  })
  expect(document.list).toEqual([{ id: 2 }, { id: 3, tags: ['y'] }, { id: 4 }])
  expect(document.list[0]).toBe(before.list[1])
  expect(document.settings).toBe(before.settings)
  expect(unchecked).toEqual({ settings: before.settings, list: [{ id: 3, tags: ['y'] }, { id: 4 }] })
})

it('a change is taken as its JSON, and the original stays as it was', () => {
  const { before, document } = changed(({ list, settings }) => {
    if (list[0]) list[0].tags = undefined
    settings.tags.push('y')
  })
  expect(document.list[0]).not.toHaveProperty('tags')
  expect(document.settings.tags).toEqual(['x', 'y'])
  expect(before).toEqual(sample())
})

it('a list may be rebuilt from the records of the original', () => {
  const before = sample()
  const drafts = createDrafts<Sample>()
  const settled = (list: Sample['list']) => {
    const draft = drafts.draftOf(before)
    draft.list = list
    return drafts.finish(draft)
  }
  const { list } = before
  const [one, two, three] = list
  expect(settled([...list]).document).toBe(before)
  expect(settled(list.with(1, { id: 5 })).unchecked).toMatchObject({ list: [{ id: 5 }] })
  expect(settled(list.toReversed()).unchecked).toMatchObject({ list: [] })
  expect(settled(list.toReversed()).document.list).toEqual([three, two, one])
  expect(settled(list.slice(1)).unchecked).toMatchObject({ list: [] })
  // Duplicates: the check must see one of each, to find them.
  expect(settled([...list, ...list.slice(0, 1)]).unchecked).toMatchObject({ list: [one] })
  expect(settled([...list.slice(1), ...list.slice(1)]).unchecked).toMatchObject({ list: [two, three] })
})
