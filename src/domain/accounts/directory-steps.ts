/** What is done to sign somebody in by a directory, in this order. */
export const DIRECTORY_STEPS = ['connect', 'encrypt', 'bind', 'find', 'password', 'groups'] as const
export type DirectoryStepName = (typeof DIRECTORY_STEPS)[number]

export interface DirectoryStep {
  readonly step: DirectoryStepName
  readonly passed: boolean
  /** For administrators. */
  readonly text: string
}
