/** A list that was kept in this browser; empty if there is none, or if something else is there. */
export function readKept(storage: Pick<Storage, 'getItem'>, key: string): unknown[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(list) ? list : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** With full storage nothing is kept, and everything else works. */
export function keep(storage: Pick<Storage, 'setItem'>, key: string, list: readonly unknown[]): void {
  try {
    storage.setItem(key, JSON.stringify(list))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
