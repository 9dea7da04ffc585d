import { isFilemgrError } from '../../../domain/errors.ts'
import { requireUsableOptions } from '../../../services/settings/usable-options.ts'
import { fault, type Check, type Scene } from '../check.ts'

export const startUpValuesCheck: Check = {
  name: 'start-up-values',
  title: 'Start-up values of environment, config file and store',
  run({ options, optionsProblem }: Scene) {
    const problem = optionsProblem ?? problemOf(options)
    return problem === undefined
      ? []
      : [fault(problem, 'correct it; "filemgr server get" shows where each value is from')]
  },
}

function problemOf(options: Scene['options']): string | undefined {
  try {
    requireUsableOptions(options)
    return undefined
  } catch (error) {
    if (isFilemgrError(error)) return error.message
    throw error
  }
}
