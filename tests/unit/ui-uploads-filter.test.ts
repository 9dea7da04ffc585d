import { describe, expect, it } from 'vitest'
import { countOf, itemsOf } from '../../ui/src/features/uploads/upload-filter.ts'
import type { UploadItem, UploadState } from '../../ui/src/features/uploads/upload-queue.ts'

const item = (name: string, state: UploadState) => ({ name, state }) as UploadItem
const ITEMS = [item('a', 'done'), item('b', 'waiting'), item('c', 'failed'), item('d', 'active'), item('e', 'waiting')]
const TOTALS = { waiting: 2, active: 1, done: 1, failed: 1, sentBytes: 0, totalBytes: 0 }
const names = (items: readonly UploadItem[]): string => items.map(({ name }) => name).join('')

describe('the tabs of the uploads', () => {
  it('show what moves first, then what failed, waits and is done', () => {
    expect(names(itemsOf('all', ITEMS))).toBe('dcbea')
  })

  it('count what waits as active', () => {
    expect(names(itemsOf('active', ITEMS))).toBe('dbe')
    expect(names(itemsOf('failed', ITEMS))).toBe('c')
    expect(names(itemsOf('done', ITEMS))).toBe('a')
    expect(['all', 'active', 'failed', 'done'].map((tab) => countOf(tab as 'all', TOTALS))).toEqual([5, 3, 1, 1])
  })
})
