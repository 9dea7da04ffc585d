import { type UploadItem, type UploadState, type UploadTotals, totalsOf } from '../queue/upload-item.ts'

export type UploadFilter = 'all' | 'active' | 'waiting' | 'failed' | 'done'
export const UPLOAD_FILTERS: readonly UploadFilter[] = ['all', 'active', 'waiting', 'failed', 'done']

/** Paused uploads and those without a file also wait: for the user. */
const STATES: Readonly<Record<UploadFilter, readonly UploadState[]>> = {
  all: ['active', 'waiting', 'paused', 'missing', 'failed', 'done'],
  active: ['active'],
  waiting: ['waiting', 'paused', 'missing'],
  failed: ['failed'],
  done: ['done'],
}

/** How many items a tab holds. */
export function countOf(filter: UploadFilter, totals: UploadTotals): number {
  return STATES[filter].reduce((sum, state) => sum + totals[state], 0)
}

/** The uploads of one picked folder. */
export interface UploadBatch {
  readonly id: string
  readonly name: string
  /** All of them, including those that the tab hides. */
  readonly items: readonly UploadItem[]
  readonly totals: UploadTotals
}

export type UploadRow =
  | { readonly kind: 'item'; readonly item: UploadItem; readonly nested: boolean }
  | { readonly kind: 'batch'; readonly batch: UploadBatch; readonly open: boolean }

/** Running uploads first, then those that need the user, then waiting, then finished ones. */
const RANK: Readonly<Record<UploadState, number>> = { active: 0, failed: 1, missing: 2, paused: 3, waiting: 4, done: 5 }

/** The lines of a tab. A picked folder is one line, with its items below it when expanded. */
export function rowsOf(
  filter: UploadFilter,
  items: readonly UploadItem[],
  openBatches: ReadonlySet<string>,
): UploadRow[] {
  const batches = batchesOf(items)
  const units = new Map<string, UploadItem[]>()
  for (const item of items) {
    if (!STATES[filter].includes(item.state)) continue
    const key = item.group !== null && batches.has(item.group.id) ? item.group.id : String(item.id)
    const unit = units.get(key)
    if (unit === undefined) units.set(key, [item])
    else unit.push(item)
  }
  const rank = (unit: readonly UploadItem[]): number =>
    unit.reduce((least, { state }) => Math.min(least, RANK[state]), Infinity)
  const ranked = [...units].map(([key, unit]) => ({ key, unit, rank: rank(unit) }))
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ key, unit }): UploadRow[] => {
      const batch = batches.get(key)
      const nested = batch !== undefined
      const open = openBatches.has(key)
      const shown = nested && !open ? [] : unit.toSorted((a, b) => RANK[a.state] - RANK[b.state])
      const rows = shown.map((item): UploadRow => ({ kind: 'item', item, nested }))
      return batch === undefined ? rows : [{ kind: 'batch', batch, open }, ...rows]
    })
}

/** Picked folders by id. One with a single item needs no line above it. */
function batchesOf(items: readonly UploadItem[]): ReadonlyMap<string, UploadBatch> {
  const found = new Map<string, UploadItem[]>()
  for (const item of items) {
    if (item.group === null) continue
    const { id } = item.group
    const batch = found.get(id)
    if (batch === undefined) found.set(id, [item])
    else batch.push(item)
  }
  return new Map(
    [...found]
      .filter(([, members]) => members.length > 1)
      .map(([id, members]) => {
        return [id, { id, name: members[0]?.group?.name ?? '', items: members, totals: totalsOf(members) }] as const
      }),
  )
}
