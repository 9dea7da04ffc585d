import type { Records } from './store.ts'

/** Records that end with the process. */
export function memoryRecords<R extends { readonly id: string }>(): Records<R> {
  const records = new Map<string, R>()
  return {
    list: async () => [...records.values()],
    put: async (record) => void records.set(record.id, record),
    async remove(...ids) {
      for (const id of ids) records.delete(id)
    },
    sweep: async () => 0,
  }
}
