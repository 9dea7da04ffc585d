import type { StagedBy } from '../../domain/hidden-entry.ts'
import { stagedName, stagerOf, type Stager } from './own-names.ts'

/** The names under which this process stages files, and whether something may lie under such a name when it ends. */
export class StagedNames {
  /** Undefined for a process after which nobody cleans up. */
  readonly stager: Stager | undefined
  /** An earlier run may have left something behind. */
  isSweepDue: boolean
  readonly #wasUnclean: boolean
  #isLeftBehind = false

  /** @param wasUnclean the last run ended without cleaning up */
  constructor(stager?: Stager, wasUnclean = false) {
    this.stager = stager
    this.#wasUnclean = wasUnclean
    this.isSweepDue = wasUnclean
  }

  next(): string {
    return stagedName(this.stager)
  }

  /** Something that this process staged is not removed: the next run has to look for it. */
  leaveBehind(): void {
    this.#isLeftBehind = true
  }

  /** Another disk is served: what was swept was not what the last run served, or not all of it. */
  serveAnother(): void {
    this.isSweepDue = this.#wasUnclean
  }

  get isClean(): boolean {
    return !this.isSweepDue && !this.#isLeftBehind
  }

  whose(name: string): StagedBy {
    const made = stagerOf(name)
    if (made === undefined) return 'nobody'
    if (made.installation !== this.stager?.installation) return 'another installation'
    return made.run === this.stager.run ? 'this run' : 'an earlier run'
  }
}
