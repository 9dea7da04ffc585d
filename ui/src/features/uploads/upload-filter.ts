import type { UploadItem, UploadTotals } from './upload-queue.ts'

export type UploadFilter = 'all' | 'active' | 'failed' | 'done'
export const UPLOAD_FILTERS: readonly UploadFilter[] = ['all', 'active', 'failed', 'done']

/** How many items a tab holds. What waits is on its way, so it counts as active. */
export function countOf(filter: UploadFilter, { waiting, active, done, failed }: UploadTotals): number {
  const counts = { all: waiting + active + done + failed, active: waiting + active, failed, done }
  return counts[filter]
}

const RANK: Readonly<Record<UploadItem['state'], number>> = { active: 0, failed: 1, waiting: 2, done: 3 }

/** The items of a tab: what moves first, then what needs somebody, then what waits, then what is done. */
export function itemsOf(filter: UploadFilter, items: readonly UploadItem[]): UploadItem[] {
  const shown = items.filter(({ state }) => {
    if (filter === 'all') return true
    return filter === 'active' ? state === 'active' || state === 'waiting' : state === filter
  })
  return shown.sort((a, b) => RANK[a.state] - RANK[b.state])
}
