/** Disposes of the resource if the work throws. */
export async function orRelease<T>(resource: AsyncDisposable, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await resource[Symbol.asyncDispose]()
    throw error
  }
}
