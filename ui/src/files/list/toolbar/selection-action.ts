import type { WorkAction } from '../../actions/work.ts'

/** Something that can be done with what is selected, now: no button is dead. */
export interface SelectionAction extends WorkAction {
  readonly run: () => void
}
