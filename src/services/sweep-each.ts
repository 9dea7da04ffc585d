import { isFilemgrError } from '../domain/errors.ts'

/**
 * Sweeps one after the other and counts what went. One that cannot be swept keeps none of the others from its turn.
 *
 * @throws CANCELLED at once; at the end an AggregateError of all that failed
 */
export async function sweepEach<T>(things: Iterable<T>, sweep: (thing: T) => Promise<number>): Promise<number> {
  const failures: unknown[] = []
  let swept = 0
  for (const thing of things) {
    try {
      swept += await sweep(thing)
    } catch (error) {
      if (isFilemgrError(error, 'CANCELLED')) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be swept`)
  return swept
}
