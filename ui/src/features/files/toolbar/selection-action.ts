import type { IconName } from '../../../kit/icon-names.ts'

/** Something that can be done with what is selected. Only what is possible is in the list: no button is dead. */
export interface SelectionAction {
  readonly id: 'open' | 'download'
  readonly label: string
  readonly icon: IconName
  /** As `aria-keyshortcuts` writes it. */
  readonly keys: string
  run(): void
}
