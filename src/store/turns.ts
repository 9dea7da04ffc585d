/** Runs pieces of asynchronous work one after the other, in the order in which they came. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // The caller hears of a failure; the next turn only waits for the end.
    last = result.catch(() => undefined)
    return result
  }
}
