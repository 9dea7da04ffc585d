import type { VirtualPath } from '../../domain/virtual-path.ts'
import type { Descriptors, Lease } from './descriptors.ts'
import type { Ground } from './ground.ts'
import { translateError } from './os-error.ts'

/** Folder, entry, target of a link, and the file itself. */
export const DESCRIPTORS_OF_ONE_OPERATION = 4
/** Two for each level of a usual tree and some for its ends. */
export const DESCRIPTORS_OF_A_TREE = 64

/** Runs operations beneath a ground: with descriptors set aside, the root held until the end, and errors as ours. */
export class OperationRunner {
  readonly ground: Ground
  readonly #descriptors: Descriptors

  constructor(ground: Ground, descriptors: Descriptors) {
    this.ground = ground
    this.#descriptors = descriptors
  }

  async run<T>(
    path: VirtualPath,
    work: (lease: Lease) => Promise<T>,
    descriptors = DESCRIPTORS_OF_ONE_OPERATION,
  ): Promise<T> {
    using lease = await this.#descriptors.take(descriptors)
    using _root = this.ground.root.retain()
    try {
      return await work(lease)
    } catch (error) {
      throw translateError(error, path)
    }
  }
}
