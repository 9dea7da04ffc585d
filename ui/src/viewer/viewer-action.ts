import type { IconName } from '../kit/icon/icon.tsx'

/** Something that can be done with the file shown. Only what is possible is in the list. */
export interface ViewerAction {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  /** As `aria-keyshortcuts` writes it. */
  readonly keys?: string | undefined
  readonly danger?: boolean | undefined
  run(): void
}
