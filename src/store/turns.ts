/** Runs pieces of asynchronous work one after the other, in the order in which they came. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // Whoever asked for the work hears of its failure; the next turn only has to wait for its end.
    last = result.catch(() => undefined)
    return result
  }
}
