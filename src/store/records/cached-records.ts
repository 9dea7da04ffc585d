import type { RecordFilter, Records } from '../store.ts'

/** Caches records that only this process changes: reads them once. */
export function cachedRecords<R extends { readonly id: string }>(records: Records<R>): Records<R> {
  let loading: Promise<Map<string, R>> | undefined

  const known = async (): Promise<Map<string, R>> => {
    loading ??= records.list().then(
      (list) => new Map(list.map((record) => [record.id, record])),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return await loading
  }

  return {
    list: async (where) => matching((await known()).values(), where),
    async put(record, under) {
      await records.put(record, under)
      ;(await known()).set(record.id, record)
    },
    async remove(...ids) {
      await records.remove(...ids)
      for (const id of ids) (await known()).delete(id)
    },
    flush: async () => await records.flush(),
    reload: () => void (loading = undefined),
  }
}

export function matching<R>(records: Iterable<R>, where: RecordFilter<R> = {}): R[] {
  const entries = Object.entries(where) as [keyof R, unknown][]
  return [...records].filter((record) => entries.every(([key, value]) => record[key] === value))
}
