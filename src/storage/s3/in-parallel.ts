/** Requests of one operation that run at the same time. */
const PARALLEL = 16

/**
 * Like `map`, with a few calls at a time. After a failure, starts no further call, and rejects once the running calls have
 * ended.
 */
export async function mapParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  parallel = PARALLEL,
): Promise<R[]> {
  const results: R[] = []
  const waiting = [...items.entries()].reverse()
  const lane = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [index, item] = next
      try {
        results[index] = await work(item)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(parallel, items.length) }, lane))
  const failed = lanes.find((ended) => ended.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
